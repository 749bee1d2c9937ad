import type { QuestionReport, Report } from '../api/contract';
import { t } from '../texts';
import { clockOf } from '../ui/time';
import { Quote } from './Quote';

/** What a question got, as word and shape. */
export const ANSWERS: Record<QuestionReport['answered'], readonly [string, string]> = {
  answered: [t('coverage.answered'), 'status ok'],
  partly: [t('coverage.partly'), 'status pause'],
  skipped: [t('coverage.skipped'), 'status warn'],
  unanswered: [t('coverage.unanswered'), 'status warn'],
};

/** Which questions were asked, and what came of each. */
export function Coverage({ report: { questions, figures }, isOpen = false }: { report: Report; isOpen?: boolean }) {
  if (questions.length === 0) return null;
  const { answered, of } = figures.questions;
  return (
    <section className="card" aria-labelledby="questions-h">
      <h2 id="questions-h" tabIndex={-1}>
        {t('coverage.heading')}
      </h2>
      <p className="soft">{t('coverage.sum', { answered, count: of })}</p>
      <ol className="asked-list">
        {questions.map(({ text, stage, at_ms, asked, answered, quotes }, index) => {
          const [word, shape] = asked ? ANSWERS[answered] : [t('level.notAsked'), 'status'];
          return (
            <li key={`${index}-${text}`}>
              <p className="meta">
                <span className={shape}>{word}</span>
                <span>{stage}</span>
                {asked && at_ms !== null && <span className="num">{clockOf(at_ms)}</span>}
              </p>
              <p>{text}</p>
              {quotes.length > 0 && (
                <details open={isOpen}>
                  <summary>{t('coverage.words')}</summary>
                  <ul className="quotes">
                    {quotes.map((quote, index) => (
                      <Quote
                        key={`${index}-${quote.start_ms}`}
                        quote={quote.quote}
                        start_ms={quote.start_ms}
                        corrected={quote.corrected}
                      />
                    ))}
                  </ul>
                </details>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
