import type { ContactField, PlanProgress, TopicProgress } from '../api/client';
import { t } from '../texts';

/** One turn of a topic in its picture. */
export type Slot = 'used' | 'left' | 'bonus-used' | 'bonus-left' | 'beyond';

/** The turns of a topic: those of its share, then those given for rich answers, then what went beyond both. */
export function slotsOf({ turns, share, bonus }: TopicProgress): Slot[] {
  const given = share + bonus;
  return Array.from({ length: Math.max(given, turns) }, (_, n) => {
    if (n >= given) return 'beyond';
    if (n >= share) return n < turns ? 'bonus-used' : 'bonus-left';
    return n < turns ? 'used' : 'left';
  });
}

/** The same in words. */
export function turnsOf({ turns, share, bonus }: TopicProgress): string {
  const beyond = turns - share - bonus;
  return [
    t('progress.turnsOfTopic', { count: turns, share }),
    bonus > 0 && t('progress.bonus', { number: bonus }),
    beyond > 0 && t('progress.beyond', { number: beyond }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** How many sub-goals of a topic are covered, in words. */
export function coverageOf({ sub_goals }: TopicProgress): string {
  const covered = sub_goals.filter((goal) => goal.covered).length;
  return t('progress.subGoals', { covered, all: sub_goals.length });
}

/** Below this the interviewer takes an answer for thin, and above the other for rich (L03). */
const USUAL_MIN = 0.3;
const USUAL_MAX = 0.6;

/** How rich the answers on a topic are, in words. */
export function richnessOf({ turns, score }: TopicProgress): string {
  if (turns === 0) return t('progress.noAnswers');
  if (score < USUAL_MIN) return t('progress.thin');
  return score <= USUAL_MAX ? t('progress.usual') : t('progress.rich');
}

/** The turns of all topics, or undefined where they have no budget. */
export function budgetOf({ turns_total, turns_left }: PlanProgress) {
  if (typeof turns_total !== 'number' || turns_total <= 0) return undefined;
  const left = Math.min(Math.max(turns_left ?? turns_total, 0), turns_total);
  return { used: turns_total - left, left, all: turns_total };
}

const PHASES: Partial<Record<string, string>> = {
  EXPLORING: t('progress.exploring'),
  EXPLORING_DEEP: t('progress.exploringDeep'),
  TRANSITION: t('progress.transition'),
  DEEPENING: t('progress.deepening'),
  DEEP_OFFER_ASK: t('progress.deepOfferAsk'),
  DATA_COLLECTION_CONSENT: t('progress.consentAsk'),
  DATA_COLLECTION: t('progress.collecting'),
  COMPLETE_WITHOUT_DATA: t('progress.withoutData'),
  FINAL_GOODBYE: t('progress.goodbye'),
};

/** A phase in words; one that this page does not know stands as it is. */
export function phaseOf(phase: string): string {
  return PHASES[phase] ?? phase;
}

/** Whether more time was accepted, in words. */
export function moreTimeOf({ extension }: PlanProgress): string {
  if (typeof extension !== 'boolean') return t('progress.notAsked');
  return extension ? t('progress.moreAccepted') : t('progress.moreRefused');
}

/** Whether they agreed to leave contact data, in words. */
export function consentOf({ consent }: PlanProgress): string {
  if (typeof consent !== 'boolean') return t('progress.notAsked');
  return consent ? t('progress.consentGiven') : t('progress.consentRefused');
}

/** What they left in a field, or why there is nothing. */
export function leftIn({ value, missing }: ContactField): string {
  if (value) return value;
  if (missing === 'declined') return t('progress.fieldDeclined');
  return missing === 'unknown' ? t('progress.fieldUnknown') : t('progress.fieldOpen');
}
