import { Link } from 'wouter';
import type { InterviewRow } from '../api/contract';
import { t } from '../texts';
import { Notice } from '../ui/Notice';
import { attentionOf, isLive, nameOf } from './states';

interface AttentionProps {
  rows: readonly InterviewRow[];
  onListen: (row: InterviewRow) => void;
  /** Whether this is the page of the interview. */
  isHere?: boolean;
}

/** Tells at once of somebody in an interview whom a person should look after. */
export function Attention({ rows, onListen, isHere }: AttentionProps) {
  return rows
    .filter((row) => row.attention && isLive(row.state))
    .map((row) => (
      <Notice
        key={row.id}
        kind="bad"
        icon="warn"
        heading={t('attention.heading', { name: nameOf(row) })}
        told="now"
        action={
          <>
            <button type="button" className="btn dense" onClick={() => onListen(row)}>
              {t('action.listen')}
            </button>
            {!isHere && (
              <Link className="btn dense" href={`/interviews/${row.id}`}>
                {t('attention.look')}
              </Link>
            )}
          </>
        }
      >
        <p>{attentionOf(row.attention ?? '')}</p>
      </Notice>
    ));
}
