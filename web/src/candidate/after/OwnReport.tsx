import { queryOptions, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, type CandidateReport } from '../../api/client';
import { t } from '../../texts';
import { Notice } from '../../ui/Notice';

const ASKS_MS = 10_000;

const reportOf = (token: string) =>
  queryOptions({
    queryKey: ['own-report', token],
    queryFn: () => api.candidateReport(token),
    refetchInterval: ({ state: { data } }) => data?.state === 'making' && ASKS_MS,
  });

/** The report as the opening lets its candidates read it: facts and their own words. */
export function OwnReport({ token }: { token: string }) {
  const { data, error } = useQuery(reportOf(token));
  return (
    <section className="card stack" aria-labelledby="own-report-h">
      <h2 id="own-report-h">{t('ownReport.heading')}</h2>
      <p className="soft">{t('ownReport.about')}</p>
      {error && <Notice kind="warn" icon="warn" heading={error.message} />}
      {data && <Report report={data} />}
    </section>
  );
}

const ANSWERED: Record<CandidateReport['questions'][number]['answered'], string> = {
  answered: t('ownReport.fully'),
  partly: t('ownReport.partly'),
  skipped: t('ownReport.skipped'),
  unanswered: t('ownReport.open'),
};

function Report({ report }: { report: CandidateReport }) {
  const { answers, words, longest_answer_ms, questions, criteria } = report;
  return (
    <>
      {report.state === 'making' && <p role="status">{t('ownReport.making')}</p>}
      <p>
        {longest_answer_ms > 0
          ? t('ownReport.facts', { answers, words, longest: Math.round(longest_answer_ms / 1000) })
          : t('ownReport.typed', { answers, words })}
      </p>
      {questions.length > 0 && (
        <div>
          <h3>{t('ownReport.questions')}</h3>
          <ul className="advice">
            {questions.map(({ text, answered }, n) => (
              <li key={`${n}-${text}`}>
                <span className="voice">{text}</span> <span className="soft">{ANSWERED[answered]}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {criteria.length > 0 && (
        <div>
          <h3>{t('ownReport.criteria')}</h3>
          <dl className="facts wide">
            {criteria.map(({ name, quotes, level, reason }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>
                  {level && <b>{t('ownReport.level', { level })} </b>}
                  {reason && <span>{reason} </span>}
                  {quotes.length === 0 && <span className="soft">{t('ownReport.noQuote')}</span>}
                  {quotes.map((quote) => (
                    <q className="voice" key={quote}>
                      {quote}
                    </q>
                  ))}
                </dd>
              </Fragment>
            ))}
          </dl>
        </div>
      )}
    </>
  );
}
