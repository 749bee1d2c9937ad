import type { RoleChoices } from '../api/client';
import { useSession } from '../frame/SignedIn';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { type ControlProps, Field } from '../ui/Field';
import { type Errors, LABELS, type TextField } from './form';
import { PaperFile } from './PaperFile';

/** What a text field takes from the form. */
export interface TextControl {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  onBlur: () => void;
}

interface TextCardProps {
  control: (field: TextField) => TextControl;
  errors: Errors;
}

/** Who is interviewed, and for which role. */
export function WhoCard({ choices, control, errors }: TextCardProps & { choices: RoleChoices | undefined }) {
  return (
    <section className="card" aria-labelledby="who-h">
      <h2 id="who-h">{t('launch.who')}</h2>
      <div className="stack">
        <Field id="name" label={LABELS.name} error={errors.name}>
          {(props) => <input {...props} {...control('name')} autoComplete="off" maxLength={400} />}
        </Field>
        <div className="pair">
          <Field id="role" label={LABELS.role} error={errors.role}>
            {(props) => <input {...props} {...control('role')} list="roles" maxLength={400} />}
          </Field>
          <Field id="level" label={LABELS.level} error={errors.level}>
            {(props) => (
              <select {...props} {...control('level')}>
                {choices?.levels.map((level) => (
                  <option key={level.name} value={level.name}>
                    {ofServer(level.title)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <datalist id="roles">
          {choices?.roles.map((role) => (
            <option key={role} value={role} />
          ))}
        </datalist>
      </div>
    </section>
  );
}

/** What the interviewer reads first. */
export function TextsCard({ control, errors }: TextCardProps) {
  const { real_model } = useSession();
  return (
    <section className="card" aria-labelledby="first-h">
      <h2 id="first-h">{real_model ? t('launch.first') : t('launch.papers')}</h2>
      <div className="stack">
        <Field
          id="resume"
          label={LABELS.resume}
          optional
          hint={real_model ? t('launch.resumeHint') : t('editor.scriptedPaper')}
          error={errors.resume}
        >
          {(props) => <Paper {...props} label={LABELS.resume} control={control('resume')} />}
        </Field>
        <Field
          id="job_description"
          label={LABELS.job_description}
          optional
          hint={real_model ? t('launch.resumeHint') : t('editor.scriptedJob')}
          error={errors.job_description}
        >
          {(props) => <Paper {...props} label={LABELS.job_description} control={control('job_description')} />}
        </Field>
      </div>
    </section>
  );
}

/** A text that is typed, pasted, or read from a file. */
function Paper({ label, control, ...props }: ControlProps & { label: string; control: TextControl }) {
  return (
    <>
      <textarea {...props} {...control} rows={4} />
      <PaperFile
        id={props.id}
        label={label}
        text={control.value}
        onText={(value) => control.onChange({ target: { value } })}
      />
    </>
  );
}
