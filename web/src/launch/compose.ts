import type { LaunchForm, PlanForm } from '../api/client';
import { t } from '../texts';
import type { Errors, Form, Planned } from './form';
import { checkPlan } from './plan/check';
import { checkDocuments, type DocumentDraft, textsOf } from './plan/documents';
import { type PlanDraft, questionsOf, type Source, topicsOf } from './plan/draft';

/** All of the form that goes into a plan. */
export interface Planning {
  planned: Planned;
  documents: readonly DocumentDraft[];
  plan: PlanDraft | undefined;
  /** How many questions are asked at most, if that is known. */
  rounds?: number | null | undefined;
  /** Whether a plan is being made right now. */
  isMaking: boolean;
}

/** What is wrong with the documents and the plan. */
export function checkPlanning({ planned, documents, plan, isMaking }: Planning): Errors {
  if (planned === 'nothing') return {};
  const errors: Errors = {};
  const inDocuments = checkDocuments(documents);
  if (inDocuments) errors.documents = inDocuments;
  const inPlan = isMaking ? t('mend.making') : checkPlan(planned, plan);
  if (inPlan) errors[planned] = inPlan;
  return errors;
}

/** What is launched: of the plan only what the blueprint plans. With `types` it is held in text alone. */
export function launchForm(form: Form, { planned, documents, plan }: Planning, types = false): LaunchForm {
  const { guide, ...given } = form;
  const accommodations = { pauses: 'usual', captions: true, types } as const;
  const texts = types ? { ...given, terms: { accommodations } } : given;
  if (planned === 'nothing') return texts;
  return {
    ...texts,
    documents: textsOf(documents),
    ...(planned === 'topics' && { guide }),
    ...(plan && planned === 'questions' && { questions: questionsOf(plan) }),
    ...(plan && planned === 'topics' && { topics: topicsOf(plan) }),
    ...(plan && { signature: plan.made.signature }),
  };
}

/** What a plan would be made from now. */
export function sourceOf(form: Form, { planned, documents }: Pick<Planning, 'planned' | 'documents'>): Source {
  return { documents: textsOf(documents), guide: planned === 'topics' ? form.guide : '', role: form.role };
}

/** The request for a plan. */
export function planForm(blueprint: string, source: Source): PlanForm {
  return { ...source, blueprint, documents: [...source.documents], role: source.role.trim() };
}
