import type { Need, OpeningState, Wording } from '../api/contract';
import { t } from '../texts';
import type { FormField } from './merge';

/** The fields in the order of the page. */
export const ORDER: readonly FormField[] = [
  'title',
  'role',
  'level',
  'job_description',
  'blueprint',
  'length_min',
  'questions',
  'criteria',
  'knowledge',
  'recording',
  'feedback',
  'link_days',
  'retention_days',
  'contact',
  'next',
];

export const LABELS: Record<FormField, string> = {
  title: t('editor.title'),
  role: t('field.role'),
  level: t('field.level'),
  job_description: t('field.jobDescription'),
  blueprint: t('editor.blueprint'),
  length_min: t('editor.length'),
  questions: t('editor.questions'),
  criteria: t('editor.criteria'),
  knowledge: t('editor.knowledge'),
  recording: t('editor.recording'),
  feedback: t('editor.feedback'),
  link_days: t('editor.linkDays'),
  retention_days: t('editor.retention'),
  contact: t('editor.contact'),
  next: t('editor.after'),
};

export const NEEDS: Record<Need, string> = {
  must: t('need.must'),
  should: t('need.should'),
  nice: t('need.nice'),
};

export const WORDINGS: Record<Wording, string> = {
  verbatim: t('editor.verbatim'),
  guide: t('editor.asGuide'),
};

export const OPENING_STATES: Record<OpeningState, string> = {
  open: t('openings.open'),
  closed: t('openings.closed'),
};
