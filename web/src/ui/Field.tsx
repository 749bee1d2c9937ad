import { type ReactNode, useId } from 'react';
import { t } from '../texts';
import { Icon } from './Icon';

/** What a control takes from its field. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  /** The control's id, so that a summary of errors can link to it. */
  id: string;
  label: ReactNode;
  optional?: boolean;
  hint?: string;
  error?: string | undefined;
  /** Whether a screen reader says the error at once, as where the focus stays in the field. */
  errorTold?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** Label, hint, control, error, in that order. */
export function Field({ id, label, optional, hint, error, errorTold, children }: FieldProps) {
  const unique = useId();
  const hintId = hint ? `${unique}-h` : '';
  const errorId = error ? `${unique}-e` : '';
  const described = [hintId, errorId].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {optional && <span className="opt">{t('optional')}</span>}
      </label>
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {/* A screen reader says an alert that appears, not one that an error becomes. */}
      {error && <FieldError key={String(errorTold)} id={errorId} message={error} told={errorTold} />}
    </div>
  );
}

/** The sentence below a field that has to be mended. */
export function FieldError({ id, message, told }: { id: string; message: string; told?: boolean }) {
  return (
    <p className="error" id={id} role={told ? 'alert' : undefined}>
      <Icon name="warn" />
      <span>
        <span className="sr">{t('error')}</span>
        {message}
      </span>
    </p>
  );
}
