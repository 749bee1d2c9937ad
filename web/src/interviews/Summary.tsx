import { useQuery } from '@tanstack/react-query';
import type { SummaryView } from '../api/client';
import { summaryOf } from '../api/queries';
import { t } from '../texts';
import { Notice } from '../ui/Notice';

/** What an interview comes to, once it is over. */
export function Summary({ id }: { id: string }) {
  const { data: summary, error, isFetching, refetch } = useQuery(summaryOf(id));
  const again = () => {
    refetch();
  };
  return (
    <section className="card summary" aria-labelledby="summary-h" aria-busy={isFetching}>
      <h2 id="summary-h">{t('progress.summary')}</h2>
      {isFetching && (
        <p className="soft" role="status">
          {t('progress.writing')}
        </p>
      )}
      {error && !isFetching && <Trouble heading={t('progress.noSummary')} why={error.message} onAgain={again} />}
      {summary && <Written summary={summary} onAgain={isFetching ? undefined : again} />}
    </section>
  );
}

function Written({ summary, onAgain }: { summary: SummaryView; onAgain: (() => void) | undefined }) {
  const { by, trouble, sections } = summary;
  return (
    <div className="stack">
      <p className="small soft">{by === 'model' ? t('progress.byModel') : t('progress.byRules')}</p>
      {trouble && onAgain && <Trouble heading={t('progress.noModel')} why={trouble} onAgain={onAgain} />}
      {sections.map(({ heading, points }, n) => (
        <section key={`${n}-${heading}`}>
          <h3>{heading}</h3>
          <ul>
            {points.map((point, n) => (
              <li key={`${n}-${point}`}>{point}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Trouble({ heading, why, onAgain }: { heading: string; why: string; onAgain: () => void }) {
  return (
    <Notice kind="warn" icon="warn" heading={heading} told="soon">
      <p>{why}</p>
      <div className="row">
        <button type="button" className="btn dense" onClick={onAgain}>
          {t('tryAgain')}
        </button>
      </div>
    </Notice>
  );
}
