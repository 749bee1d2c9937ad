import type { Blueprint, LaunchForm } from '../api/client';
import { t } from '../texts';

/** The fields that are one text, in the order of the page. */
export const TEXT_FIELDS = ['name', 'role', 'level', 'resume', 'job_description', 'blueprint', 'guide'] as const;

export type TextField = (typeof TEXT_FIELDS)[number];
/** The fields of a plan that are more than one text. */
export type PlanField = 'documents' | 'questions' | 'topics';
export type Planned = Blueprint['planned'];
export type FieldName = Exclude<keyof LaunchForm, 'signature' | 'terms'>;
export type Form = Record<TextField, string>;
export type Errors = Partial<Record<FieldName, string>>;

/** The fields in the order of the page: so stand the errors in the summary. */
export const FIELDS: readonly FieldName[] = [
  'name',
  'role',
  'level',
  'resume',
  'job_description',
  'blueprint',
  'documents',
  'guide',
  'questions',
  'topics',
];

export const LABELS: Record<FieldName, string> = {
  name: t('field.name'),
  role: t('field.role'),
  level: t('field.level'),
  resume: t('field.resume'),
  job_description: t('field.jobDescription'),
  blueprint: t('field.blueprint'),
  documents: t('field.documents'),
  guide: t('field.guide'),
  questions: t('field.questions'),
  topics: t('field.topics'),
};

const LINE_MAX = 80;
const TEXT_MAX = 20_000;

/** What is wrong with one field, said before the server is asked; the server has the last word. */
export function checkField(field: TextField, value: string): string | undefined {
  const chars = [...value.trim()].length;
  switch (field) {
    case 'name':
      return checkLine(value, chars, t('mend.name'));
    case 'role':
      return checkLine(value, chars, t('mend.role'));
    case 'level':
      return value ? undefined : t('mend.level');
    case 'blueprint':
      return value ? undefined : t('mend.blueprint');
    case 'resume':
      return checkText(chars, 'mend.longResume');
    case 'job_description':
      return checkText(chars, 'mend.longJobDescription');
    case 'guide':
      return checkText(chars, 'mend.longGuide');
  }
}

/** All that is wrong with the texts of the form. */
export function checkForm(form: Form): Errors {
  const errors: Errors = {};
  for (const field of TEXT_FIELDS) {
    const error = checkField(field, form[field]);
    if (error) errors[field] = error;
  }
  return errors;
}

/** The errors once these fields have changed: what was mended is gone, and nothing is said that was not said before. */
export function mended(errors: Errors, found: Errors, fields: readonly PlanField[]): Errors {
  const left = { ...errors };
  for (const field of fields) if (left[field]) left[field] = found[field];
  return left;
}

/** The server's errors by field; those of fields that this page does not have are left out. */
export function errorsOf(fields: readonly { field: string; message: string }[]): Errors {
  const errors: Errors = {};
  for (const { field, message } of fields) {
    const known = FIELDS.find((name) => name === field);
    if (known) errors[known] = message;
  }
  return errors;
}

function checkLine(value: string, chars: number, missing: string): string | undefined {
  if (chars === 0) return missing;
  if (chars > LINE_MAX) return t('mend.longLine', { chars, most: LINE_MAX });
  if (!/[\p{L}\p{N}]/u.test(value)) return t('mend.noLetter', { what: missing });
  return undefined;
}

function checkText(
  chars: number,
  tooLong: 'mend.longResume' | 'mend.longJobDescription' | 'mend.longGuide',
): string | undefined {
  if (chars <= TEXT_MAX) return undefined;
  return t(tooLong, { chars, most: TEXT_MAX });
}
