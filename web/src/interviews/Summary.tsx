import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SummaryView } from '../api/client';
import { interviewOf } from '../api/interviews';
import { summaryOf } from '../api/queries';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Notice } from '../ui/Notice';

/** What an interview comes to, once it is over. */
export function Summary({ id }: { id: string }) {
  const client = useQueryClient();
  const { data: summary, error, isFetching, refetch } = useQuery(summaryOf(id));
  useEffect(() => {
    // With it comes a file to download.
    if (summary) client.invalidateQueries({ queryKey: interviewOf(id).queryKey });
  }, [client, id, summary]);
  const trouble = error
    ? { heading: t('progress.noSummary'), why: error.message }
    : summary?.trouble && { heading: t('progress.noModel'), why: ofServer(summary.trouble) };
  return (
    <section className="card summary" aria-labelledby="summary-h" aria-busy={isFetching}>
      <h2 id="summary-h">{t('progress.summary')}</h2>
      {isFetching && (
        <p className="soft" role="status">
          {t('progress.writing')}
        </p>
      )}
      {trouble && <Trouble {...trouble} onAgain={isFetching ? undefined : refetch} />}
      {summary && <Written summary={summary} />}
    </section>
  );
}

function Written({ summary: { by, sections } }: { summary: SummaryView }) {
  return (
    <div className="stack">
      <p className="small soft">{by === 'model' ? t('progress.byModel') : t('progress.byRules')}</p>
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

interface TroubleProps {
  heading: string;
  why: string;
  /** Not while it is tried again: the button stays, and keeps its focus. */
  onAgain: (() => void) | undefined;
}

function Trouble({ heading, why, onAgain }: TroubleProps) {
  return (
    <Notice kind="warn" icon="warn" heading={heading} told="soon">
      <p>{why}</p>
      <div className="row">
        <button type="button" className="btn dense" aria-disabled={!onAgain || undefined} onClick={() => onAgain?.()}>
          {t('tryAgain')}
        </button>
      </div>
    </Notice>
  );
}
