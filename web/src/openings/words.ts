import type { Manner, Need, OpeningState, ReportFor, Wording } from '../api/contract';
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
  'candidate_report',
  'integrity',
  'link_days',
  'attempts',
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
  candidate_report: t('gives.report'),
  integrity: t('editor.integrity'),
  link_days: t('editor.linkDays'),
  attempts: t('editor.attempts'),
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

export const REPORT_FOR: Record<ReportFor, string> = {
  nobody: t('gives.nobody'),
  candidate: t('gives.facts'),
  candidate_with_levels: t('gives.levels'),
};

/** How a simulated candidate behaves. */
export const MANNERS: Record<Manner, string> = {
  cooperative: t('simulated.cooperative'),
  brief: t('simulated.brief'),
  rambling: t('simulated.rambling'),
  asking: t('simulated.asking'),
  silent: t('simulated.silent'),
  leaving: t('simulated.leaving'),
};
