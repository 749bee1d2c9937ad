import type { After } from '../api/contract';
import { t } from '../texts';
import { Notice } from '../ui/Notice';

/** What the candidate asks for after the interview: it stands above all else. */
export function Wishes({ after }: { after: After | undefined }) {
  return (
    <>
      {after?.deletion_requested && (
        <Notice kind="warn" icon="warn" heading={t('afterwards.deletion')} told="soon">
          <p>{t('afterwards.deletionAbout')}</p>
        </Notice>
      )}
      {after?.review_requested && (
        <Notice kind="warn" icon="person" heading={t('afterwards.review')} told="soon">
          <p>{t('afterwards.reviewAbout')}</p>
        </Notice>
      )}
    </>
  );
}

/** What the candidate thought of the interview, and how much they put right. */
export function AfterCard({ after }: { after: After | undefined }) {
  if (!after || (!after.feedback && after.corrections.length === 0)) return null;
  const { feedback, corrections } = after;
  return (
    <section className="card" aria-labelledby="after-h">
      <h2 id="after-h" tabIndex={-1}>
        {t('afterwards.heading')}
      </h2>
      {feedback && (
        <p>
          {feedback.stars !== null && <b className="num">{t('afterwards.stars', { stars: feedback.stars })}</b>}{' '}
          {feedback.text ? (
            <q className="lines">{feedback.text}</q>
          ) : (
            <span className="soft">{t('afterwards.noWords')}</span>
          )}
        </p>
      )}
      {corrections.length > 0 && <p className="soft">{t('afterwards.corrections', { count: corrections.length })}</p>}
    </section>
  );
}
