import type { Report } from '../api/contract';
import { t } from '../texts';
import { clockOf } from '../ui/time';

const PRIORITIES: Partial<Record<string, string>> = {
  high: t('points.high'),
  medium: t('points.medium'),
  low: t('points.low'),
};

/** What is left to do, what the candidate asked and put right, and counts that are no part of a level. */
export function OpenPoints({ report: { todos, candidate_questions, corrections, facts } }: { report: Report }) {
  // Typed answers take no time, and how somebody answered is no business of whoever decides.
  const wasHeard = facts.longest_answer_ms > 0;
  const counted = [
    t('points.words', { count: facts.words }),
    t('points.fillers', { count: facts.fillers }),
    wasHeard && facts.talk_ratio !== null && t('points.share', { percent: Math.round(facts.talk_ratio * 100) }),
    facts.words_per_minute !== null && t('points.pace', { number: facts.words_per_minute }),
    wasHeard && t('points.longest', { time: clockOf(facts.longest_answer_ms) }),
    facts.median_answer_delay_ms !== null &&
      t('points.delay', { seconds: Math.round(facts.median_answer_delay_ms / 100) / 10 }),
  ].filter(Boolean);
  return (
    <section className="card" aria-labelledby="points-h">
      <h2 id="points-h" tabIndex={-1}>
        {t('points.heading')}
      </h2>
      <div className="thirds">
        <div>
          <h3>{t('points.todos')}</h3>
          {todos.length === 0 && <p className="small soft">{t('points.none')}</p>}
          <ul>
            {todos.map(({ text, priority }, index) => (
              <li key={`${index}-${text}`}>
                {text} <span className="tag">{PRIORITIES[priority] ?? priority}</span>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{t('points.asked')}</h3>
          {candidate_questions.length === 0 && <p className="small soft">{t('points.nothingAsked')}</p>}
          <ul>
            {candidate_questions.map(({ text, answered }, index) => (
              <li key={`${index}-${text}`}>
                <q>{text}</q>{' '}
                <span className="soft">{answered ? t('points.wasAnswered') : t('points.wasNotAnswered')}</span>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{t('points.corrections')}</h3>
          {corrections.length === 0 && <p className="small soft">{t('points.none')}</p>}
          <ul>
            {corrections.map(({ old, text }, index) => (
              <li key={`${index}-${text}`}>{t('points.correction', { old, text })}</li>
            ))}
          </ul>
        </div>
      </div>
      <p className="small soft facts-line">{t('points.counted', { what: counted.join(' · ') })}</p>
    </section>
  );
}
