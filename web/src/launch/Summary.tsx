import type { Ref } from 'react';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { type Errors, FIELDS, LABELS } from './form';
import { type Mistake, mistakesInQuestions, mistakesInTopics } from './plan/check';
import type { PlanDraft } from './plan/draft';

interface SummaryProps {
  errors: Errors;
  /** Why nothing was launched, if no field is the reason. */
  trouble: string | undefined;
  plan: PlanDraft | undefined;
  ref: Ref<HTMLDivElement>;
}

/** All that has to be mended, each with a link to its field. */
export function Summary({ errors, trouble, plan, ref }: SummaryProps) {
  const listed = listOf(errors, plan);
  if (!trouble && listed.length === 0) return null;
  return (
    <div className="notice bad" role="alert" tabIndex={-1} id="summary" ref={ref}>
      <Icon name="warn" />
      <div>
        <h2>{trouble ? t('launch.notLaunched') : t('launch.toMend', { count: listed.length })}</h2>
        {trouble && <p>{trouble}</p>}
        <ul>
          {listed.map(({ anchor, row, message }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{t('launch.mend', { field: row, error: message })}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The fields in the order of the page; of a plan each row that is wrong. */
function listOf(errors: Errors, plan: PlanDraft | undefined): Mistake[] {
  return FIELDS.flatMap((field) => {
    const message = errors[field];
    if (!message) return [];
    const rows = mistakesIn(field, plan);
    return rows.length > 0 ? rows : [{ anchor: field, row: LABELS[field], message }];
  });
}

function mistakesIn(field: keyof Errors, plan: PlanDraft | undefined): Mistake[] {
  if (plan && field === 'questions') return mistakesInQuestions(plan.questions);
  if (plan && field === 'topics') return mistakesInTopics(plan.topics);
  return [];
}
