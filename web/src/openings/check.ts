import { charactersOf } from '../launch/plan/documents';
import { live } from '../launch/plan/order';
import { t } from '../texts';
import type { Mend } from '../ui/ErrorSummary';
import type { CriterionDraft, Draft, KnownDraft } from './draft';
import { LABELS, ORDER } from './words';

export const LINE_MAX = 80;
export const TEXT_MAX = 400;
export const ANSWER_MAX = 2000;
export const JOB_DESCRIPTION_MAX = 20_000;
export const QUESTIONS_MAX = 10;
export const CRITERIA_MAX = 12;
export const KNOWN_MAX = 30;

/** The ids of the controls. */
export const ownAnchor = (id: string, part?: 'reason') => (part ? `own-${id}-${part}` : `own-${id}`);
export const criterionAnchor = (id: string, part: 'name' | 'about') =>
  part === 'name' ? `criterion-${id}` : `criterion-${id}-about`;
export const knownAnchor = (id: string, part: 'question' | 'answer') =>
  part === 'question' ? `known-${id}` : `known-${id}-answer`;

/** All that has to be mended in a draft, in the order of the page; the server has the last word. */
export function mistakesIn(draft: Draft): Mend[] {
  const found: Mend[] = [];
  const add = (anchor: string, label: string, message: string | undefined) => {
    if (message) found.push({ anchor, label, message });
  };
  for (const field of ORDER) {
    switch (field) {
      case 'title':
        add(field, LABELS.title, checkLine(draft.title, t('editor.noTitle')));
        break;
      case 'role':
        add(field, LABELS.role, checkLine(draft.role, t('mend.role')));
        break;
      case 'job_description':
        add(field, LABELS.job_description, checkLength(draft.job_description, JOB_DESCRIPTION_MAX));
        break;
      case 'blueprint':
        add(field, LABELS.blueprint, draft.blueprint ? undefined : t('mend.blueprint'));
        break;
      case 'questions':
        for (const [at, { id, text }] of live(draft.questions).entries())
          add(ownAnchor(id), t('plan.question', { number: at + 1 }), checkQuestion(text));
        break;
      case 'criteria':
        for (const [at, row] of live(draft.criteria).entries()) addCriterion(add, row, at, draft);
        break;
      case 'knowledge':
        for (const [at, row] of live(draft.knowledge).entries()) addKnown(add, row, at);
        break;
      case 'contact':
        add(field, LABELS.contact, checkLength(draft.contact, TEXT_MAX));
        break;
      case 'next':
        add(field, LABELS.next, checkLength(draft.next, ANSWER_MAX));
        break;
      default:
        break;
    }
  }
  return found;
}

type Add = (anchor: string, label: string, message: string | undefined) => void;

function addCriterion(add: Add, row: CriterionDraft, at: number, draft: Draft) {
  const label = t('editor.criterion', { number: at + 1 });
  const before = live(draft.criteria).slice(0, at);
  const isTwice = before.some(({ name }) => name.trim() && name.trim() === row.name.trim());
  const twice = isTwice ? t('editor.sameCriterion') : undefined;
  add(criterionAnchor(row.id, 'name'), label, checkLine(row.name, t('editor.noCriterion')) ?? twice);
  add(criterionAnchor(row.id, 'about'), label, checkLength(row.about, TEXT_MAX));
}

function addKnown(add: Add, row: KnownDraft, at: number) {
  const label = t('editor.answer', { number: at + 1 });
  const empty = row.question.trim() ? undefined : t('editor.noKnownQuestion');
  add(knownAnchor(row.id, 'question'), label, empty ?? checkLength(row.question, TEXT_MAX));
  const missing = row.answer.trim() ? undefined : t('editor.noKnownAnswer');
  add(knownAnchor(row.id, 'answer'), label, missing ?? checkLength(row.answer, ANSWER_MAX));
}

function checkQuestion(text: string): string | undefined {
  const question = text.trim();
  if (!question) return t('mend.emptyQuestion');
  if (/[\r\n]/.test(question)) return t('editor.lineBreak');
  if (!/[?？؟]$/.test(question)) return t('mend.notAsked', { line: question });
  return checkLength(question, TEXT_MAX);
}

function checkLine(value: string, missing: string): string | undefined {
  if (!value.trim()) return missing;
  if (!/[\p{L}\p{N}]/u.test(value)) return t('mend.noLetter', { what: missing });
  return checkLength(value, LINE_MAX);
}

function checkLength(value: string, most: number): string | undefined {
  const chars = charactersOf(value.trim());
  return chars > most ? t('mend.longLine', { chars, most }) : undefined;
}

/** Where the server's errors belong: its fields are named by their place, as `questions.2.text`. */
export function mendsOf(problems: readonly { field: string; message: string }[], draft: Draft): Mend[] {
  return problems.map(({ field, message }) => {
    const [list, place, part] = field.split('.');
    const at = Number(place);
    const own = list === 'questions' ? live(draft.questions)[at] : undefined;
    if (own)
      return {
        anchor: ownAnchor(own.id, part === 'reason' ? part : undefined),
        label: t('plan.question', { number: at + 1 }),
        message,
      };
    const criterion = list === 'criteria' ? live(draft.criteria)[at] : undefined;
    if (criterion)
      return {
        anchor: criterionAnchor(criterion.id, part === 'about' ? 'about' : 'name'),
        label: t('editor.criterion', { number: at + 1 }),
        message,
      };
    const known = list === 'knowledge' ? live(draft.knowledge)[at] : undefined;
    if (known)
      return {
        anchor: knownAnchor(known.id, part === 'answer' ? 'answer' : 'question'),
        label: t('editor.answer', { number: at + 1 }),
        message,
      };
    const plain = ORDER.find((name) => name === list);
    return { anchor: plain ?? 'main', label: plain ? LABELS[plain] : t('editor.form'), message };
  });
}
