import type { Transcript } from '../../api/client';
import { join, latest, replyOf, type Stream } from './captions';

/** A question, and the stage that it belongs to, as `vivavoce.stage`. */
export interface Question {
  text: string;
  stage: string | undefined;
}

/** What the question on screen is taken from. */
export interface Told {
  /** The question that waited before the first of these streams. */
  before: Question | undefined;
  streams: readonly Stream[];
  /** The candidate's identity. */
  candidate: string;
  /** The stage in which a reply of the interviewer's began, as `vivavoce.stage`. */
  stageOf: (reply: string) => string | undefined;
  /** The replies whose question the interviewer has counted as heard (`vivavoce.progress`): no nudge is among them. */
  counted: ReadonlySet<string>;
  /** The reply that sounds: its captions may be a word behind its count, and what it states leads to a question. */
  going: string | undefined;
}

/**
 * The question that the candidate is to answer: the last one that the interviewer has counted. Where a stage counts
 * none, as one that says goodbye, the first that it asks stands in; before that, the question before it.
 */
export function questionOf({ before, streams, candidate, stageOf, counted, going }: Told): Question | undefined {
  let question = before;
  for (const [reply, text] of textsOf(streams, candidate)) {
    const stage = stageOf(reply);
    if (counted.has(reply)) {
      const found = asked(text, reply === going) ?? (reply === going ? undefined : text);
      question = found ? { text: found, stage } : question;
    } else if (!question || question.stage !== stage) {
      const first = asked(text, true);
      if (first) question = { text: first, stage };
    }
  }
  return question;
}

/** How many questions of which stage the interviewer has counted. */
export interface Count {
  stage: string | undefined;
  asked: number;
}

/** Whether the interviewer has counted a question between two counts. */
export function isCounted(before: Count, now: Count): boolean {
  return now.asked > (now.stage === before.stage ? before.asked : 0);
}

/** The count in `vivavoce.progress`, such as `2/5`. */
export function countOf(stage: string | undefined, progress: string | undefined): Count {
  return { stage, asked: Number.parseInt(progress ?? '', 10) || 0 };
}

/** What was asked last before the page was opened, as the transcript tells it: what follows another reply is a nudge. */
export function questionIn(turns: Transcript['turns']): Question | undefined {
  return turns.reduce<Question | undefined>((question, { speaker, text, stage }, n) => {
    const before = turns[n - 1];
    const isNudge = before?.speaker === 'interviewer' && before.stage === stage && question?.stage === stage;
    const found = speaker === 'interviewer' && !isNudge ? asked(text) : undefined;
    return found ? { text: found, stage } : question;
  }, undefined);
}

function textsOf(streams: readonly Stream[], candidate: string): Map<string, string> {
  const replies = new Map<string, string>();
  for (const { key, speaker, text } of latest(streams, candidate)) {
    if (speaker !== 'interviewer' || !text.trim()) continue;
    const reply = replyOf(key);
    replies.set(reply, join(replies.get(reply) ?? '', text));
  }
  return replies;
}

/** A request without a question mark, such as "Tell me about a project that went wrong."; remarks are shorter. */
const STATED_WORDS_MIN = 6;

/** The last sentence that asks, with a mark at its end or of some length. A mark within a word, as in plan.md, ends none. */
function asked(said: string, needsMark = false): string | undefined {
  const sentences = said.match(/(?:[^.?!]|[.?!](?=[\p{L}\p{N}]))+[.?!]*/gu)?.map((sentence) => sentence.trim()) ?? [];
  const isStated = (sentence: string) =>
    !needsMark && /[.!]$/.test(sentence) && sentence.split(/\s+/).length >= STATED_WORDS_MIN;
  return sentences.findLast((sentence) => sentence.endsWith('?') || isStated(sentence));
}
