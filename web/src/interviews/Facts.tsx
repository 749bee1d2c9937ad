import type { PlanProgress } from '../api/client';
import { t } from '../texts';
import { consentOf, leftIn, moreTimeOf, phaseOf } from './topics';

/** What the plan was made from, and what they agreed to. */
export function Facts({ plan, isOver }: { plan: PlanProgress; isOver: boolean }) {
  const { phase, documents, topics, contact } = plan;
  if (!phase && documents.length === 0 && topics.length === 0 && contact.length === 0) return null;
  return (
    <section className="card" aria-labelledby="facts-h">
      <h2 id="facts-h">{t('progress.talk')}</h2>
      <dl className="facts agreed">
        {phase && (
          <>
            <dt>{isOver ? t('progress.lastPhase') : t('progress.phase')}</dt>
            <dd data-phase={phase}>{phaseOf(phase)}</dd>
          </>
        )}
        {topics.length > 0 && (
          <>
            <dt>{t('progress.moreTime')}</dt>
            <dd>{moreTimeOf(plan)}</dd>
          </>
        )}
        {contact.length > 0 && (
          <>
            <dt>{t('progress.consent')}</dt>
            <dd>{consentOf(plan)}</dd>
          </>
        )}
        {plan.consent &&
          contact.map((field) => (
            <Field title={field.title} key={field.key}>
              {leftIn(field)}
            </Field>
          ))}
        {documents.length > 0 && (
          <>
            <dt>{t('progress.documents')}</dt>
            <dd>
              <ul className="plain">
                {documents.map((name, n) => (
                  <li key={`${n}-${name}`}>{name}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Field({ title, children }: { title: string; children: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}
