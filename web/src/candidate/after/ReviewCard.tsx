import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useLocation } from 'wouter';
import { api, type Practice, type ReviewedAnswer, type Try } from '../../api/client';
import { t } from '../../texts';
import { Notice } from '../../ui/Notice';
import { adviceOf, factsOf, PART_WORDS, toldOf, triesAt } from './review';

const ASKS_MS = 5000;

const practiceOf = (token: string) =>
  queryOptions({
    queryKey: ['practice', token],
    queryFn: () => api.practice(token),
    refetchInterval: ({ state: { data } }) => (data?.writing ?? false) && ASKS_MS,
  });

/** C03: what a practice interview gives back: what was in each answer, two suggestions, and another try. */
export function ReviewCard({ token }: { token: string }) {
  const { data, error } = useQuery(practiceOf(token));
  return (
    <section className="card stack" aria-labelledby="review-h">
      <h2 id="review-h">{t('review.heading')}</h2>
      <p className="soft">{t('review.about')}</p>
      {error && <Notice kind="warn" icon="warn" heading={error.message} />}
      {data && <Answers token={token} practice={data} />}
    </section>
  );
}

function Answers({ token, practice: { review, writing, tries } }: { token: string; practice: Practice }) {
  if (review.answers.length === 0) return <p>{t('review.none')}</p>;
  return (
    <>
      <p className="small soft" role="status">
        {writing ? t('review.writing') : review.by === 'model' ? t('review.byModel') : t('review.byRules')}
      </p>
      {review.answers.map((answer) => (
        <Answer key={answer.question} token={token} answer={answer} tries={triesAt(tries, answer.question)} />
      ))}
    </>
  );
}

interface AnswerProps {
  token: string;
  answer: ReviewedAnswer;
  tries: readonly Try[];
}

function Answer({ token, answer, tries }: AnswerProps) {
  const heading = `review-${answer.question}`;
  return (
    <article className="stack" aria-labelledby={heading}>
      <h3 id={heading} className="voice">
        {answer.asked}
      </h3>
      <p className="small soft">{factsOf(answer).join(' · ')}</p>
      <dl className="facts wide">
        {answer.parts.map(({ part, quote }) => (
          <Fragment key={part}>
            <dt>{PART_WORDS[part]}</dt>
            <dd>{quote ? <q className="voice">{quote}</q> : <span className="soft">{t('review.notTold')}</span>}</dd>
          </Fragment>
        ))}
      </dl>
      {answer.suggestions.length > 0 && (
        <div>
          <h4>{t('review.suggestions')}</h4>
          <ul className="advice">
            {answer.suggestions.map((suggestion) => (
              <li key={suggestion.advice + suggestion.quote}>
                <q className="voice">{suggestion.quote}</q> {adviceOf(suggestion)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {tries.length > 0 && <Tries answer={answer} tries={tries} />}
      <TryAgain token={token} question={answer.question} />
    </article>
  );
}

/** How it went from one try to the next: facts, and no grades. */
function Tries({ answer, tries }: { answer: ReviewedAnswer; tries: readonly Try[] }) {
  const rows = [
    { key: 'first', name: t('review.first'), answer },
    ...tries.map((one, n) => ({
      key: `${one.at}-${n}`,
      name: t('review.number', { number: n + 2 }),
      answer: one.answer ?? undefined,
    })),
  ];
  return (
    <table className="small">
      <caption>{t('review.tries')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('review.try')}</th>
          <th scope="col">{t('review.length')}</th>
          <th scope="col">{t('review.parts')}</th>
          <th scope="col">{t('review.sounds')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, answer }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {answer ? (
              <>
                <td>{t('review.seconds', { seconds: answer.seconds })}</td>
                <td>{t('review.told', { told: toldOf(answer) })}</td>
                <td>{answer.fillers}</td>
              </>
            ) : (
              <td colSpan={3}>{t('review.notDone')}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TryAgain({ token, question }: { token: string; question: number }) {
  const [, navigate] = useLocation();
  const trying = useMutation({
    mutationFn: () => api.tryAgain(token, question),
    onSuccess: ({ link }) => navigate(link),
  });
  return (
    <div>
      {trying.error && <Notice kind="bad" icon="warn" heading={trying.error.message} told="now" />}
      <button
        type="button"
        className="btn dense"
        aria-disabled={trying.isPending || undefined}
        onClick={() => !trying.isPending && trying.mutate()}
      >
        {trying.isPending ? t('review.trying') : t('review.tryAgain')}
      </button>
    </div>
  );
}
