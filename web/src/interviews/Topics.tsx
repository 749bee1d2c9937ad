import type { PlanProgress, TopicProgress } from '../api/client';
import { t } from '../texts';
import { budgetOf, coverageOf, richnessOf, type Slot, slotsOf, turnsOf } from './topics';

/** How far each topic is and what is left of the budget, as a picture beside its words. */
export function Topics({ plan }: { plan: PlanProgress }) {
  const budget = budgetOf(plan);
  const all = plan.topics.flatMap(slotsOf);
  return (
    <section className="card topics" aria-labelledby="topics-h">
      <h2 id="topics-h">{t('progress.topics')}</h2>
      {budget && (
        <div className="budget">
          <p>{t('progress.turns', budget)}</p>
          <div className="bar" aria-hidden="true">
            <i style={{ '--w': budget.used, '--c': 'var(--accent)' }} />
            <i style={{ '--w': budget.left, '--c': 'transparent' }} />
          </div>
        </div>
      )}
      <p className="turn-key small soft" aria-hidden="true">
        <Turn slot="used" /> {t('progress.legendUsed')}
        <Turn slot="left" /> {t('progress.legendLeft')}
        {all.some((slot) => slot.startsWith('bonus')) && (
          <>
            <Turn slot="bonus-used" /> {t('progress.legendBonus')}
          </>
        )}
      </p>
      <ol>
        {plan.topics.map((topic) => (
          <Topic topic={topic} key={topic.key} />
        ))}
      </ol>
    </section>
  );
}

/** Its pictures are hidden from a screen reader, which reads the words beside them. */
function Topic({ topic }: { topic: TopicProgress }) {
  return (
    <li className="topic" data-topic={topic.key}>
      <h3>{topic.title}</h3>
      <div className="figures">
        <p>
          <span className="goals" aria-hidden="true">
            {topic.sub_goals.map(({ text, covered }, n) => (
              <i className={covered ? 'covered' : undefined} key={`${n}-${text}`} />
            ))}
          </span>
          <span>{coverageOf(topic)}</span>
        </p>
        <p>
          <span className="slots" aria-hidden="true">
            {slotsOf(topic).map((slot, n) => (
              <Turn slot={slot} key={`${n}-${slot}`} />
            ))}
          </span>
          <span>{turnsOf(topic)}</span>
        </p>
        <p>
          <span className="meter" aria-hidden="true">
            <i style={{ '--level': topic.turns > 0 ? Math.round(topic.score * 100) : 0 }} />
          </span>
          <span>{richnessOf(topic)}</span>
        </p>
      </div>
      {topic.insight && (
        <p className="small">
          {t('progress.insight')}
          <q className="voice">{topic.insight}</q>
        </p>
      )}
      <details>
        <summary>{t('progress.whatFor')}</summary>
        <ul>
          {topic.sub_goals.map(({ text, covered }, n) => (
            <li key={`${n}-${text}`}>
              <span className={covered ? 'status ok' : 'status'}>
                {covered ? t('progress.covered') : t('progress.notCovered')}
              </span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** A turn in the picture: filled when it is used, a diamond when it was given for rich answers. */
function Turn({ slot }: { slot: Slot }) {
  return <i className={`slot ${slot}`} />;
}
