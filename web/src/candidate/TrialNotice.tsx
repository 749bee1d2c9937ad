import type { Candidate } from '../api/client';
import { t } from '../texts';
import { Notice } from '../ui/Notice';

/** Says to whoever tries an interview of their own house that this is one, and once it is over where its report is. */
export function TrialNotice({ candidate, isOver = false }: { candidate: Candidate; isOver?: boolean }) {
  if (!candidate.trial) return null;
  return (
    <Notice icon="info" heading={t('ownTry.heading')}>
      <p>{t('ownTry.nobody')}</p>
      {isOver && (
        <div className="row">
          {/* Beside the pages of candidates: it is loaded anew. */}
          <a className="btn" href={`/interviews/${candidate.trial}`}>
            {t('ownTry.report')}
          </a>
        </div>
      )}
    </Notice>
  );
}
