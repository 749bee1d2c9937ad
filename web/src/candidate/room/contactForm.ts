import type { FormField } from '../../api/client';
import { t } from '../../texts';
import { addressFault } from '../../ui/address';
import type { ControlAnswer } from './control';

/** What was filled in, by the keys of the fields. */
export type Values = Readonly<Record<string, string>>;

/** Why a form was not sent, or did not count. */
export type FormProblem =
  | { kind: 'empty' }
  | { kind: 'cut' }
  | { kind: 'absent' }
  | { kind: 'unanswered' }
  | { kind: 'refused'; reason: string };

/** The form for contact data, and what became of it. */
export interface ContactForm {
  /** As it is typed. It outlives a new connection. */
  values: Values;
  /** What is wrong with a field, by its key. */
  errors: Values;
  problem: FormProblem | undefined;
  /** What was sent last; `waits`: the interviewer has not answered yet, and it is sent again. */
  request: { id: string; values: Values; waits: boolean } | undefined;
  /** What the interviewer has taken. */
  taken: Values;
  isDeclined: boolean;
}

export type ContactFormEvent =
  | { kind: 'edited'; key: string; value: string }
  /** The focus has left a field. */
  | { kind: 'left'; field: FormField }
  /** Send was pressed, and nothing left the page. */
  | { kind: 'held'; errors: Values; problem: FormProblem | undefined }
  | { kind: 'sent'; id: string; values: Values }
  | { kind: 'answered'; answer: ControlAnswer }
  /** It was sent as often as it may be, and no answer came. */
  | { kind: 'unanswered'; id: string }
  | { kind: 'declined' };

export const NOTHING_FILLED: ContactForm = {
  values: {},
  errors: {},
  problem: undefined,
  request: undefined,
  taken: {},
  isDeclined: false,
};

/** What became of the form by an event. */
export function contactFormAfter(form: ContactForm, event: ContactFormEvent): ContactForm {
  switch (event.kind) {
    case 'edited': {
      const { [event.key]: _, ...errors } = form.errors;
      return { ...form, values: { ...form.values, [event.key]: event.value }, errors, problem: undefined };
    }
    case 'left': {
      const { field } = event;
      const error = errorOf(field, form.values[field.key] ?? '');
      return error ? { ...form, errors: { ...form.errors, [field.key]: error } } : form;
    }
    case 'held':
      return { ...form, errors: event.errors, problem: event.problem };
    case 'sent':
      return {
        ...form,
        errors: {},
        problem: undefined,
        request: { id: event.id, values: event.values, waits: true },
      };
    case 'answered':
      return answered(form, event.answer);
    case 'unanswered': {
      const { request } = form;
      if (request?.id !== event.id) return form;
      return { ...form, request: { ...request, waits: false }, problem: { kind: 'unanswered' } };
    }
    case 'declined':
      return { ...form, isDeclined: true };
  }
}

/** An answer may come late: then it counts still. */
function answered(form: ContactForm, { id, answer, reason }: ControlAnswer): ContactForm {
  const { request } = form;
  if (request?.id !== id) return form;
  if (answer === 'refused') return { ...form, request: undefined, problem: { kind: 'refused', reason } };
  return { ...form, request: undefined, problem: undefined, taken: { ...form.taken, ...request.values } };
}

/** The phases of an interview in which contact data are asked for (L08). */
const PHASES: readonly (string | undefined)[] = ['DATA_COLLECTION_CONSENT', 'DATA_COLLECTION'];

/** The fields that are shown in a phase: those that were not sent yet, unless they would rather not. */
export function fieldsShown(form: ContactForm, fields: readonly FormField[], phase: string | undefined) {
  if (form.isDeclined || !PHASES.includes(phase)) return [];
  return fields.filter(({ key }) => form.taken[key] === undefined);
}

/** What would be sent: what was filled in, without spaces around it. */
export function filledIn({ values }: ContactForm, fields: readonly FormField[]): Values {
  const filled = fields.map(({ key }) => [key, values[key]?.trim() ?? ''] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
}

/** What is wrong with the fields, by their keys. */
export function errorsOf(fields: readonly FormField[], values: Values): Values {
  const errors = fields.map((field) => [field.key, errorOf(field, values[field.key] ?? '')] as const);
  return Object.fromEntries(errors.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The id to send values by: the same values that were not answered are the same request, and count once. */
export function idFor({ request }: ContactForm, values: Values, fresh: string): string {
  return request && JSON.stringify(request.values) === JSON.stringify(values) ? request.id : fresh;
}

/** What is wrong with a value, said before it is sent; the interviewer asks for what it does not understand. */
export function errorOf({ format }: FormField, value: string): string | undefined {
  const text = value.trim();
  if (text === '') return undefined;
  switch (format) {
    case 'email':
      return emailErrorOf(text);
    case 'phone':
      return isPhone(text) ? undefined : t('form.noNumber');
    case 'text':
      return /[\p{Alphabetic}\p{N}]/u.test(text) ? undefined : t('form.noLetter');
  }
}

function emailErrorOf(text: string): string | undefined {
  switch (addressFault(text)) {
    case undefined:
    case 'empty':
      return undefined;
    case 'no-at':
      return t('form.noAt');
    case 'no-host':
      return text.endsWith('@') ? t('form.noDomain') : t('form.noAddress');
    case 'many-at':
    case 'no-local':
    case 'malformed':
      return t('form.noAddress');
  }
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return /^\+?[\d\s()/.-]+$/.test(text) && digits >= 6 && digits <= 15;
}

/** How a browser helps to fill in a field: its keyboard, and what it knows already. */
export function inputOf({ key, format }: FormField): { type: string; autoComplete: string; maxLength: number } {
  switch (format) {
    case 'email':
      return { type: 'email', autoComplete: 'email', maxLength: 320 };
    case 'phone':
      return { type: 'tel', autoComplete: 'tel', maxLength: 40 };
    case 'text':
      return { type: 'text', autoComplete: NAMES[key] ?? 'on', maxLength: 200 };
  }
}

const NAMES: Partial<Record<string, string>> = {
  name: 'name',
  full_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  organisation: 'organization',
  organization: 'organization',
};

/** A problem as a sentence. */
export function formSentenceOf(problem: FormProblem, interviewer: string): string {
  switch (problem.kind) {
    case 'empty':
      return t('form.empty');
    case 'cut':
      return t('form.cut');
    case 'absent':
      return t('form.absent', { interviewer });
    case 'unanswered':
      return t('form.unanswered', { interviewer });
    case 'refused':
      return t('form.refused', { interviewer, why: problem.reason || t('form.notNow') });
  }
}
