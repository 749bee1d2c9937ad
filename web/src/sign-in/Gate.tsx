import type { FormEvent, ReactNode, Ref } from 'react';
import { t } from '../texts';
import { ErrorSummary, type Mend } from '../ui/ErrorSummary';
import { Field } from '../ui/Field';
import { Frame } from '../ui/Frame';

interface GateProps {
  title: string;
  about: string;
  /** What did not happen, as a heading above the reason. */
  refused: string;
  mends: readonly Mend[];
  trouble: string | undefined;
  summary: Ref<HTMLDivElement>;
  onSubmit: (event: FormEvent) => void;
  button: string;
  children: ReactNode;
}

/** A page with one small form, before anything else can be seen. */
export function Gate({ title, about, refused, mends, trouble, summary, onSubmit, button, children }: GateProps) {
  return (
    <Frame title={title} page="narrow">
      <div className="head">
        <div>
          <h1>{title}</h1>
          <p>{about}</p>
        </div>
      </div>
      <ErrorSummary mends={mends} heading={refused} trouble={trouble} ref={summary} />
      <form className="card stack" noValidate onSubmit={onSubmit}>
        {children}
        <div className="row">
          <button type="submit" className="btn primary">
            {button}
          </button>
        </div>
      </form>
    </Frame>
  );
}

interface PasswordFieldProps {
  id: string;
  label: string;
  hint?: string;
  error: string | undefined;
  control: { value: string; onChange: (event: { target: { value: string } }) => void; onBlur: () => void };
  isNew: boolean;
}

/** A password, which the browser's own keeper may fill in. */
export function PasswordField({ id, label, hint, error, control, isNew }: PasswordFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(props) => (
        <input {...props} {...control} type="password" autoComplete={isNew ? 'new-password' : 'current-password'} />
      )}
    </Field>
  );
}

/** What a new password has to be. */
export const passwordHint = (least: number) => t('signIn.passwordHint', { least });
