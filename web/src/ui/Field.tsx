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
  children: (control: ControlProps) => ReactNode;
}

/** Label, hint, control, error, in that order. */
export function Field({ id, label, optional, hint, error, children }: FieldProps) {
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
      {error && <FieldError id={errorId} message={error} />}
    </div>
  );
}

/** The sentence below a field that has to be mended. */
export function FieldError({ id, message }: { id: string; message: string }) {
  return (
    <p className="error" id={id}>
      <Icon name="warn" />
      <span>
        <span className="sr">{t('error')}</span>
        {message}
      </span>
    </p>
  );
}
