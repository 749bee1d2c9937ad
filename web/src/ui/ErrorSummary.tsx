import type { Ref } from 'react';
import { t } from '../texts';
import { Icon } from './Icon';

/** One thing to mend. */
export interface Mend {
  /** The id of its control. */
  anchor: string;
  /** What the control is called. */
  label: string;
  message: string;
}

interface ErrorSummaryProps {
  mends: readonly Mend[];
  /** What did not happen, as a heading. */
  heading: string;
  /** Why nothing happened, if no field is the reason. */
  trouble?: string | undefined;
  ref: Ref<HTMLDivElement>;
}

/** All that has to be mended, each with a link to its field. It takes the focus when a form was refused. */
export function ErrorSummary({ mends, heading, trouble, ref }: ErrorSummaryProps) {
  if (!trouble && mends.length === 0) return null;
  return (
    <div className="notice bad" role="alert" tabIndex={-1} id="summary" ref={ref}>
      <Icon name="warn" />
      <div>
        <h2>{trouble ? heading : t('mends', { count: mends.length })}</h2>
        {trouble && <p>{trouble}</p>}
        {mends.length > 0 && (
          <ul>
            {mends.map(({ anchor, label, message }) => (
              <li key={`${anchor}-${message}`}>
                <a
                  href={`#${anchor}`}
                  onClick={(event) => {
                    event.preventDefault();
                    document.getElementById(anchor)?.focus();
                  }}
                >
                  {t('launch.mend', { field: label, error: message })}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
