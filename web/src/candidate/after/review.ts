import type { ReviewedAnswer, Suggestion, Try } from '../../api/client';
import { t } from '../../texts';

/** What a suggestion says: the model's words, or ours. */
export function adviceOf({ advice, text }: Suggestion): string {
  return text ?? ADVICE[advice] ?? '';
}

const ADVICE: Partial<Record<Suggestion['advice'], string>> = {
  add_result: t('review.addResult'),
  add_own_part: t('review.addOwnPart'),
  add_situation: t('review.addSituation'),
  add_task: t('review.addTask'),
  longer: t('review.longer'),
  shorter: t('review.shorter'),
  concrete: t('review.concrete'),
  fewer_fillers: t('review.fewerFillers'),
  slower: t('review.slower'),
  number: t('review.addNumber'),
  say_why: t('review.sayWhy'),
  lead_with_result: t('review.leadWithResult'),
};

export const PART_WORDS: Record<ReviewedAnswer['parts'][number]['part'], string> = {
  situation: t('review.situation'),
  task: t('review.task'),
  own_part: t('review.ownPart'),
  result: t('review.result'),
};

/** How many of the parts were told. */
export function toldOf({ parts }: ReviewedAnswer): number {
  return parts.filter(({ quote }) => quote !== null && quote !== undefined).length;
}

/** The facts about an answer, as sentences apart. What was typed has neither length nor pace. */
export function factsOf({ seconds, words, words_per_minute, fillers }: ReviewedAnswer): string[] {
  const facts: string[] = [t('review.words', { words })];
  if (seconds > 0) facts.unshift(t('review.seconds', { seconds }));
  if (words_per_minute) facts.push(t('review.pace', { pace: words_per_minute }));
  if (fillers > 0) facts.push(t('review.fillers', { count: fillers }));
  return facts;
}

/** The tries at one question, in order, each that has an answer or may still get one. */
export function triesAt(tries: readonly Try[], question: number): Try[] {
  return tries.filter((one) => one.question === question && (one.answer || one.state !== 'waiting'));
}
