import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api, type Blueprint, type Launched, type LaunchForm, type RoleChoices } from '../api/client';
import * as queries from '../api/queries';
import { InterviewList } from '../interviews/InterviewList';
import { t } from '../texts';
import { Field, FieldError } from '../ui/Field';
import { Frame } from '../ui/Frame';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { checkField, checkForm, type Errors, errorsOf, FIELDS, type FieldName, LABELS } from './form';
import { kept } from './kept';
import { LinkCard } from './LinkCard';

/** The blueprint that is chosen until somebody chooses another one. */
const USUAL = 'mock-interview';

const EMPTY: LaunchForm = { name: '', role: '', level: 'mid', blueprint: '', resume: '', job_description: '' };

/** What is typed, and the link that is shown only once stay while an interview of the list is looked at. */
const useDraft = kept(EMPTY);
const useLaunched = kept<{ interview: Launched; name: string } | undefined>(undefined);

/** U02, thin: who, for what, by which blueprint; then the link to send. */
export function LaunchPage() {
  const { data: blueprints, error: noBlueprints } = useQuery(queries.blueprints);
  const { data: choices, error: noChoices } = useQuery(queries.roles);
  const trouble = (noBlueprints ?? noChoices)?.message;
  const [launched, setLaunched] = useLaunched();
  return (
    <Frame title={t('launch.heading')} page="launch-page">
      <div className="head">
        <div>
          <h1>{t('launch.heading')}</h1>
          {!launched && <p>{t('launch.needed')}</p>}
        </div>
      </div>
      {trouble && (
        <Notice kind="bad" icon="warn" heading={t('launch.notLoaded')} told="now">
          <p>{trouble}</p>
        </Notice>
      )}
      {launched ? (
        <LinkCard
          key={launched.interview.id}
          launched={launched.interview}
          name={launched.name}
          onAnother={() => setLaunched(undefined)}
        />
      ) : (
        <LaunchCards
          blueprints={blueprints}
          choices={choices}
          onLaunched={(interview, name) => setLaunched({ interview, name })}
        />
      )}
      <InterviewList />
    </Frame>
  );
}

interface LaunchCardsProps {
  blueprints: Blueprint[] | undefined;
  choices: RoleChoices | undefined;
  onLaunched: (launched: Launched, name: string) => void;
}

function LaunchCards({ blueprints, choices, onLaunched }: LaunchCardsProps) {
  const [form, setForm] = useDraft();
  const [errors, setErrors] = useState<Errors>({});
  const [trouble, setTrouble] = useState<string>();
  const client = useQueryClient();
  const launching = useMutation({
    mutationKey: queries.LAUNCH,
    mutationFn: api.launch,
    // Also when another page is looked at meanwhile.
    onSuccess: (launched, { name }) => {
      setForm(EMPTY);
      onLaunched(launched, name?.trim() ?? '');
      client.invalidateQueries({ queryKey: queries.interviews.queryKey });
    },
  });
  /** Also when it was begun before another page was looked at. */
  const isLaunching = useIsMutating({ mutationKey: queries.LAUNCH }) > 0;
  const summary = useRef<HTMLDivElement>(null);
  const usual = blueprints?.find((blueprint) => blueprint.name === USUAL) ?? blueprints?.[0];
  const chosen = form.blueprint || usual?.name || '';
  const current = { ...form, blueprint: chosen };
  const described = Boolean(form.job_description?.trim());

  function change(field: FieldName, value: string) {
    setForm({ ...form, [field]: value });
    if (errors[field]) setErrors({ ...errors, [field]: checkField(field, value) });
  }

  function leave(field: FieldName) {
    const value = current[field] ?? '';
    if (value) setErrors({ ...errors, [field]: checkField(field, value) });
  }

  function refuse(found: Errors, message?: string) {
    setErrors(found);
    setTrouble(message);
    requestAnimationFrame(() => summary.current?.focus());
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (client.isMutating({ mutationKey: queries.LAUNCH }) > 0) return;
    const found = checkForm(current);
    if (Object.keys(found).length > 0) return refuse(found);
    launching.mutate(current, {
      onError: ({ problem }) => {
        const beside = errorsOf(problem.fields);
        refuse(beside, Object.keys(beside).length > 0 ? undefined : problem.message);
      },
    });
  }

  const listed = FIELDS.filter((field) => errors[field]);
  const control = (field: 'name' | 'role' | 'level' | 'resume' | 'job_description') => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
    onBlur: () => leave(field),
  });
  return (
    <>
      {(trouble || listed.length > 0) && (
        <div className="notice bad" role="alert" tabIndex={-1} id="summary" ref={summary}>
          <Icon name="warn" />
          <div>
            <h2>{trouble ? t('launch.notLaunched') : t('launch.toMend', { count: listed.length })}</h2>
            {trouble && <p>{trouble}</p>}
            <ul>
              {listed.map((field) => (
                <li key={field}>
                  <a href={`#${field}`}>{t('launch.mend', { field: LABELS[field], error: errors[field] ?? '' })}</a>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      <form className="split launch" noValidate onSubmit={submit}>
        <div>
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
                          {level.title}
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
          <section className="card" aria-labelledby="first-h">
            <h2 id="first-h">{t('launch.first')}</h2>
            <div className="stack">
              <Field id="resume" label={LABELS.resume} optional hint={t('launch.resumeHint')} error={errors.resume}>
                {(props) => <textarea {...props} {...control('resume')} rows={4} />}
              </Field>
              <Field
                id="job_description"
                label={LABELS.job_description}
                optional
                hint={t('launch.jobDescriptionHint')}
                error={errors.job_description}
              >
                {(props) => <textarea {...props} {...control('job_description')} rows={4} />}
              </Field>
            </div>
          </section>
          <section className="card" aria-labelledby="interview-h">
            <h2 id="interview-h">{t('launch.interview')}</h2>
            <BlueprintField
              blueprints={blueprints}
              chosen={chosen}
              described={described}
              error={errors.blueprint}
              onChoose={(name) => change('blueprint', name)}
            />
          </section>
        </div>
        <aside className="card" aria-labelledby="time-h">
          <h2 id="time-h">{t('launch.time')}</h2>
          <Estimate blueprint={blueprints?.find((blueprint) => blueprint.name === chosen)} described={described} />
          <div className="acts">
            <button className="btn primary" type="submit">
              {isLaunching ? t('launch.launching') : t('launch.now')}
            </button>
          </div>
          <p className="small soft">{t('launch.noMail')}</p>
        </aside>
      </form>
    </>
  );
}

interface BlueprintFieldProps {
  blueprints: Blueprint[] | undefined;
  chosen: string;
  /** Whether there is a job description. */
  described: boolean;
  error: string | undefined;
  onChoose: (name: string) => void;
}

function BlueprintField({ blueprints, chosen, described, error, onChoose }: BlueprintFieldProps) {
  return (
    <fieldset className="field" id="blueprint" aria-describedby={error ? 'blueprint-e' : undefined} tabIndex={-1}>
      <legend className="legend">{LABELS.blueprint}</legend>
      <div className="choices" aria-busy={blueprints === undefined}>
        {blueprints?.map((blueprint) => (
          <label className="choice" key={blueprint.name}>
            <input
              type="radio"
              name="blueprint"
              value={blueprint.name}
              checked={blueprint.name === chosen}
              onChange={() => onChoose(blueprint.name)}
            />
            <span>
              <b>{blueprint.title}</b>
              <br />
              <span className="hint">{planOf(blueprint, described).stages.join(', ')}</span>
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id="blueprint-e" message={error} />}
    </fieldset>
  );
}

/** Some stages come only when there is a job description to ask about. */
function planOf(blueprint: Blueprint, described: boolean) {
  return described ? blueprint.with_job_description : blueprint.without_job_description;
}

function Estimate({ blueprint, described }: { blueprint: Blueprint | undefined; described: boolean }) {
  if (!blueprint) return <p className="soft">{t('launch.chooseBlueprint')}</p>;
  const plan = planOf(blueprint, described);
  return (
    <>
      <p className="big num">{t('launch.atMost', { minutes: Math.ceil(plan.length_limit_s / 60) })}</p>
      <p className="small soft">{t('launch.stages')}</p>
      <ol className="minutes">
        {plan.stages.map((stage) => (
          <li key={stage}>{stage}</li>
        ))}
      </ol>
    </>
  );
}
