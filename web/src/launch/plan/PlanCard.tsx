import { useState } from 'react';
import type { PlanView } from '../../api/client';
import { t } from '../../texts';
import { ofServer } from '../../texts/server';
import { Field, FieldError } from '../../ui/Field';
import { Notice } from '../../ui/Notice';
import { type Planning, sourceOf } from '../compose';
import { usePlans } from '../drafts';
import { checkField, type Errors, errorsOf, type Form, LABELS } from '../form';
import type { TextControl } from '../TextCards';
import { mistakesInQuestions, mistakesInTopics } from './check';
import { checkDocuments } from './documents';
import { changedSince, isEdited, type PlanDraft } from './draft';
import { LoseEdits } from './LoseEdits';
import { PlanEditor } from './PlanEditor';
import { usePlanning } from './usePlanning';

interface PlanCardProps {
  planned: 'questions' | 'topics';
  planning: Planning;
  /** The form, with the chosen blueprint. */
  form: Form;
  guide: TextControl;
  errors: Errors;
  onRefused: (errors: Errors) => void;
}

/** What the interviewer is going to ask or open, made from the documents and changed by hand. */
export function PlanCard({ planned, planning, form, guide, errors, onRefused }: PlanCardProps) {
  const { plan, isMaking } = planning;
  const [, setPlans] = usePlans();
  const [said, say] = useState('');
  const { trouble, asked, ask, answer } = usePlanActions({ planned, planning, form, onRefused, say });
  return (
    <section className="card" aria-labelledby="plan-h">
      <h2 id="plan-h">
        {t('plan.heading')} <span className="opt">{t('optional')}</span>
      </h2>
      <p className="soft">{planned === 'questions' ? t('plan.questionsWhat') : t('plan.topicsWhat')}</p>
      <div className="stack" id={planned} tabIndex={-1}>
        {planned === 'topics' && (
          <Field id="guide" label={LABELS.guide} optional hint={t('plan.guideHint')} error={errors.guide}>
            {(props) => <textarea {...props} {...guide} rows={3} />}
          </Field>
        )}
        <Standing planned={planned} planning={planning} form={form} />
        {trouble && !isMaking && (
          <Notice kind="bad" icon="warn" heading={t('plan.notMade')} told="now">
            <p>{trouble}</p>
          </Notice>
        )}
        {errors[planned] && !inRows(planned, plan) && <FieldError id={`${planned}-e`} message={errors[planned]} />}
        <div className="row">
          <button type="button" id="make-plan" className="btn" onClick={() => ask('make')}>
            {isMaking ? t('plan.making') : plan ? t('plan.makeAnew') : t('plan.make')}
          </button>
          {plan && !isMaking && (
            <button type="button" className="btn plain dense" onClick={() => ask('discard')}>
              {t('plan.discard')}
            </button>
          )}
        </div>
        {plan && !isMaking && (
          <PlanEditor
            planned={planned}
            plan={plan}
            isAllTold={Boolean(errors[planned])}
            onPlan={(plan) => setPlans((plans) => ({ ...plans, [form.blueprint]: plan }))}
            say={say}
          />
        )}
      </div>
      <p className="sr" role="status">
        {isMaking ? t('plan.makingSays') : said}
      </p>
      {asked && <LoseEdits what={asked} onKeep={() => answer('keep')} onLose={() => answer('lose')} />}
    </section>
  );
}

interface PlanActions extends Pick<PlanCardProps, 'planned' | 'planning' | 'form' | 'onRefused'> {
  say: (text: string) => void;
}

/** Makes and discards the plan, and asks first where changes would be lost. */
function usePlanActions({ planned, planning, form, onRefused, say }: PlanActions) {
  const { plan, isMaking } = planning;
  const [, setPlans] = usePlans();
  const [trouble, setTrouble] = useState<string>();
  const [asked, setAsked] = useState<'make' | 'discard'>();
  const request = usePlanning(
    (made) => say(madeSays(planned, made)),
    ({ problem }) => {
      const beside = errorsOf(problem.fields);
      onRefused(beside);
      setTrouble(Object.values(beside).join(' ') || problem.message);
    },
  );

  function make() {
    const documents = checkDocuments(planning.documents);
    const wrongGuide = checkField('guide', form.guide);
    setTrouble(undefined);
    if (!documents && !wrongGuide) return request(form, planned);
    onRefused({ documents, guide: wrongGuide });
    focusSoon(documents ? 'documents' : 'guide');
  }

  function discard() {
    setPlans(({ [form.blueprint]: _, ...others }) => others);
    setTrouble(undefined);
    say(t('plan.discardSays'));
    focusSoon('make-plan');
  }

  const todo = { make, discard };
  function ask(what: 'make' | 'discard') {
    if (isMaking) return;
    if (plan && isEdited(plan)) setAsked(what);
    else todo[what]();
  }
  function answer(answer: 'keep' | 'lose') {
    setAsked(undefined);
    if (asked && answer === 'lose') todo[asked]();
  }
  return { trouble, asked, ask, answer };
}

/** Where the plan stands: not made, in the making, made by whom, and whether it is from before a change. */
function Standing({ planned, planning, form }: Pick<PlanCardProps, 'planned' | 'planning' | 'form'>) {
  const { plan, isMaking } = planning;
  if (isMaking)
    return (
      <div className="stack" aria-busy="true">
        <p className="soft">{t('plan.makingSays')}</p>
        <span className="ghost" />
        <span className="ghost" />
      </div>
    );
  if (!plan) return <p className="soft">{planned === 'questions' ? t('plan.noQuestions') : t('plan.noTopics')}</p>;
  return (
    <>
      <MadeBy made={plan.made} planned={planned} />
      {planning.rounds && <p className="soft">{t('plan.rounds', { count: planning.rounds })}</p>}
      <Old plan={plan} planning={planning} form={form} />
    </>
  );
}

function MadeBy({ made, planned }: { made: PlanView; planned: 'questions' | 'topics' }) {
  if (made.by === 'model') return <p className="status ok">{t('plan.byModel')}</p>;
  return (
    <Notice icon="info" heading={t('plan.byRules')}>
      {made.trouble && <p>{ofServer(made.trouble)}</p>}
      {planned === 'topics' && <p>{t('plan.ownTopics')}</p>}
    </Notice>
  );
}

function Old({ plan, planning, form }: { plan: PlanDraft; planning: Planning; form: Form }) {
  const changed = changedSince(plan.from, sourceOf(form, planning));
  if (changed.length === 0) return null;
  const why = { documents: t('plan.oldDocuments'), guide: t('plan.oldGuide'), role: t('plan.oldRole') };
  return (
    <Notice kind="warn" icon="warn" heading={t('plan.old')} told="soon">
      {changed.map((what) => (
        <p key={what}>{why[what]}</p>
      ))}
      <p>{t('plan.oldWay')}</p>
    </Notice>
  );
}

/** Whether the rows say what is wrong themselves. */
function inRows(planned: 'questions' | 'topics', plan: PlanDraft | undefined): boolean {
  if (!plan) return false;
  const mistakes = planned === 'questions' ? mistakesInQuestions(plan.questions) : mistakesInTopics(plan.topics);
  return mistakes.length > 0;
}

/** Once a dialog that was answered has given the focus back. */
function focusSoon(id: string) {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

function madeSays(planned: 'questions' | 'topics', made: PlanView): string {
  const count = made[planned].length;
  return planned === 'questions' ? t('plan.madeQuestions', { count }) : t('plan.madeTopics', { count });
}
