import type { CriterionVerdict } from '../api/contract';
import { t } from '../texts';

/** All levels, from “the answers speak against it” to “fully shown”. */
export const LEVELS = [1, 2, 3, 4, 5] as const;

export const VERDICT_WORDS: Record<CriterionVerdict, string> = {
  met: t('level.met'),
  partly: t('level.partly'),
  not_met: t('level.notMet'),
  insufficient_evidence: t('level.insufficient'),
  not_asked: t('level.notAsked'),
  no_level: t('level.none'),
  failed: t('level.failed'),
};

/** The shape beside the word. */
export const VERDICT_SHAPES: Record<CriterionVerdict, string> = {
  met: 'status ok',
  partly: 'status pause',
  not_met: 'status bad',
  insufficient_evidence: 'status warn',
  not_asked: 'status',
  no_level: 'status',
  failed: 'status bad',
};
