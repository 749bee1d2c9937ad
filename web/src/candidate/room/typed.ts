import { t } from '../../texts';
import type { Caption, Stream } from './captions';
import type { ControlAnswer } from './control';

/** The most UTF-8 bytes that an answer may have: the interviewer refuses a longer one. */
export const ANSWER_BYTES_MAX = 4000;
/** After this long without a word of the interviewer a sent answer goes back into the field. */
export const ANSWER_WAIT_MS = 5000;

/** An answer that was sent. */
export interface TypedAnswer {
  /** Our own name for it, from the start. */
  key: string;
  /** The id of its text stream, known once it has left. */
  id: string | undefined;
  text: string;
  /** `back`: its text is in the field again. */
  state: 'sent' | 'taken' | 'back';
  /** How many caption streams there were when it was sent: its place among them. */
  place: number;
  /** How often the room had been joined again by then. */
  rejoins: number;
}

/** Why an answer was not sent, or did not count. */
export type Problem =
  | { kind: 'blank' }
  /** By this many characters. */
  | { kind: 'long'; by: number }
  | { kind: 'cut' }
  | { kind: 'absent' }
  | { kind: 'failed' }
  | { kind: 'unanswered' }
  | { kind: 'refused'; reason: string };

/** The field for typing, and what was sent from it. */
export interface Typed {
  isOpen: boolean;
  draft: string;
  /** What came of the last answer, where it did not count. */
  problem: Problem | undefined;
  answers: readonly TypedAnswer[];
}

export type TypedEvent =
  | { kind: 'opened' }
  | { kind: 'closed' }
  | { kind: 'edited'; draft: string }
  /** Send was pressed, and nothing left the page. */
  | { kind: 'held'; problem: Problem }
  | { kind: 'sent'; key: string; place: number; rejoins: number }
  /** Said by a button: it was in no field. */
  | { kind: 'said'; key: string; text: string; place: number; rejoins: number }
  | { kind: 'left'; key: string; id: string }
  | { kind: 'failed'; key: string }
  /** The time for an answer of the interviewer is over. */
  | { kind: 'waited'; key: string }
  | { kind: 'answered'; answer: ControlAnswer };

export const NOTHING_TYPED: Typed = { isOpen: false, draft: '', problem: undefined, answers: [] };

/** What became of the field by an event. No text is dropped before the interviewer has taken it. */
export function typedAfter(typed: Typed, event: TypedEvent): Typed {
  switch (event.kind) {
    case 'opened':
      return { ...typed, isOpen: true };
    case 'closed':
      return { ...typed, isOpen: false };
    case 'edited':
      return edited(typed, event.draft);
    case 'held':
      return { ...typed, problem: event.problem };
    case 'sent': {
      const { kind: _, ...sent } = event;
      const text = typed.draft.trim();
      const answer: TypedAnswer = { ...sent, id: undefined, text, state: 'sent' };
      return { ...typed, draft: '', problem: undefined, answers: [...typed.answers, answer] };
    }
    case 'said': {
      const { kind: _, ...said } = event;
      const answer: TypedAnswer = { ...said, id: undefined, state: 'sent' };
      return { ...typed, answers: [...typed.answers, answer] };
    }
    case 'left':
      return replaced(typed, event.key, { id: event.id });
    case 'failed':
      return putBack(typed, event.key, { kind: 'failed' });
    case 'waited':
      return putBack(typed, event.key, { kind: 'unanswered' });
    case 'answered': {
      const { id, answer, reason } = event.answer;
      const { key } = typed.answers.find((answer) => answer.id === id) ?? {};
      if (key === undefined) return typed;
      return answer === 'accepted' ? taken(typed, key) : putBack(typed, key, { kind: 'refused', reason });
    }
  }
}

/** What keeps a draft from being sent now, or undefined. */
export function problemOf(draft: string, interviewer: 'there' | 'absent' | 'cut'): Problem | undefined {
  if (!draft.trim()) return { kind: 'blank' };
  const by = charactersOver(draft);
  if (by > 0) return { kind: 'long', by };
  return interviewer === 'there' ? undefined : { kind: interviewer };
}

/** How many characters have to go from the end of an answer until the interviewer takes it. */
export function charactersOver(draft: string): number {
  const text = draft.trim();
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(ANSWER_BYTES_MAX));
  return [...text.slice(read)].length;
}

/** The problem to show: that a draft has grown too long comes first, as nobody can send it. */
export function problemShown({ problem, draft }: Typed): Problem | undefined {
  const by = charactersOver(draft);
  return by > 0 && problem?.kind !== 'long' ? { kind: 'long', by } : problem;
}

/** A problem as a sentence. */
export function sentenceOf(problem: Problem, interviewer: string): string {
  switch (problem.kind) {
    case 'blank':
      return t('typed.blank');
    case 'long':
      return t('typed.tooLong', { count: problem.by });
    case 'cut':
      return t('typed.cut');
    case 'absent':
      return t('typed.absent', { interviewer });
    case 'failed':
      return t('typed.failed');
    case 'unanswered':
      return t('typed.unanswered', { interviewer });
    case 'refused':
      return t('typed.refused', { interviewer, why: problem.reason || t('typed.noneTaken') });
  }
}

/** What the browser tells of a key. */
export type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'repeat' | 'isComposing' | 'keyCode'>;

/** Browsers give this code to keys that are part of composing a character, as in Japanese. */
const COMPOSING = 229;

/** What a key does in the field; `type` is left to the browser. */
export function actionOf({ key, shiftKey, altKey, repeat, isComposing, keyCode }: Key) {
  if (isComposing || keyCode === COMPOSING) return 'type';
  if (key === 'Escape') return 'close';
  if (key !== 'Enter' || shiftKey || altKey) return 'type';
  // Held down, it has sent already.
  return repeat ? 'nothing' : 'send';
}

/** Where the captions come from, beside what was typed. */
interface Heard {
  /** What was said before the room was joined. */
  earlier: readonly Caption[];
  streams: readonly Stream[];
  /** The candidate's identity. */
  candidate: string;
  /** How often the room was joined again. */
  rejoins: number;
}

/**
 * The caption streams with the typed answers among them. The interviewer sends none for these: they are the
 * page's own, under the id of their text stream, grey until they are taken. One of an earlier connection is
 * left out once `earlier` has it.
 */
export function withTyped(answers: readonly TypedAnswer[], heard: Heard): readonly Stream[] {
  const { earlier, streams, candidate, rejoins } = heard;
  const shown = answers
    .filter(({ state }) => state !== 'back')
    .filter((answer) => answer.rejoins === rejoins || !isRead(earlier, answer.text));
  if (shown.length === 0) return streams;
  const placed = shown.map((answer) => ({
    place: answer.rejoins === rejoins ? answer.place : 0,
    stream: streamOf(answer, candidate),
  }));
  const at = (isHere: (place: number) => boolean) =>
    placed.filter(({ place }) => isHere(place)).map(({ stream }) => stream);
  return [
    ...streams.flatMap((stream, n) => [...at((place) => place === n), stream]),
    ...at((place) => place >= streams.length),
  ];
}

function streamOf({ key, id = key, text, state }: TypedAnswer, candidate: string): Stream {
  const attributes = { 'lk.segment_id': id, 'lk.transcription_final': String(state === 'taken') };
  return { text, participantInfo: { identity: candidate }, streamInfo: { id, timestamp: 0, attributes } };
}

/** Whether what was said before has a text in it, whatever its line breaks. */
function isRead(earlier: readonly Caption[], text: string): boolean {
  const words = (text: string) => text.split(/\s+/).join(' ');
  return earlier.some(({ speaker, said }) => speaker === 'candidate' && words(said).includes(words(text)));
}

/** A draft that changes mends what was wrong with it; that an answer did not count stays until it is read. */
function edited(typed: Typed, draft: string): Typed {
  const { problem } = typed;
  const isMended = problem?.kind === 'blank' || problem?.kind === 'long' || !draft.trim();
  return { ...typed, draft, problem: isMended ? undefined : problem };
}

/** The text of an answer that does not count returns to the field: behind earlier ones, before what was typed since. */
function putBack(typed: Typed, key: string, problem: Problem): Typed {
  const answer = typed.answers.find((answer) => answer.key === key);
  if (answer?.state !== 'sent') return typed;
  const at = endOfReturned(typed);
  const parts = [typed.draft.slice(0, Math.max(0, at - 1)), answer.text, typed.draft.slice(at)];
  const draft = parts.filter(Boolean).join('\n');
  return { ...replaced(typed, key, { state: 'back' }), isOpen: true, draft, problem };
}

/** The interviewer has an answer. If that is told late, its text is in the field again and is taken out. */
function taken(typed: Typed, key: string): Typed {
  const after = replaced(typed, key, { state: 'taken' });
  const answer = typed.answers.find((answer) => answer.key === key);
  const at = answer?.state === 'back' ? placeOf(typed.draft, answer.text) : -1;
  if (!answer || at < 0) return after;
  const parts = [typed.draft.slice(0, Math.max(0, at - 1)), typed.draft.slice(at + answer.text.length + 1)];
  return { ...after, draft: parts.filter(Boolean).join('\n'), problem: undefined };
}

/** Where a text stands in a draft as whole lines, from a place on; -1 where it does not. */
function placeOf(draft: string, text: string, from = 0): number {
  const at = draft.indexOf(text, from);
  if (at < 0) return -1;
  const end = at + text.length;
  const isWhole = (at === 0 || draft[at - 1] === '\n') && (end === draft.length || draft[end] === '\n');
  return isWhole ? at : placeOf(draft, text, at + 1);
}

/** Where the texts that have returned to the field end in it. */
function endOfReturned({ answers, draft }: Typed): number {
  let end = 0;
  for (const { state, text } of answers) {
    if (state === 'back' && placeOf(draft, text, end) === end) end += text.length + 1;
  }
  return Math.min(end, draft.length + 1);
}

function replaced(typed: Typed, key: string, by: Partial<TypedAnswer>): Typed {
  const answers = typed.answers.map((answer) => (answer.key === key ? { ...answer, ...by } : answer));
  return { ...typed, answers };
}
