/** One text stream on `lk.transcription`, as far as it has come. */
export interface Stream {
  text: string;
  participantInfo: { identity: string };
  streamInfo: { id: string; timestamp: number; attributes?: Record<string, string> | undefined };
}

/** What one side said in one go; of the interviewer one reply. */
export interface Caption {
  key: string;
  speaker: 'interviewer' | 'candidate';
  /** What stands. */
  said: string;
  /** What may still change; drawn grey. */
  partial: string;
}

export interface Segment {
  key: string;
  speaker: Caption['speaker'];
  text: string;
  isFinal: boolean;
}

/**
 * Captions of both sides in the order in which they began. Segments of one reply of the interviewer's are one
 * caption, so that a nudge stands apart from the question before it; so are those of the candidate in a row. A newer
 * stream of the same segment replaces the older one, at its old place.
 */
export function captionsOf(streams: readonly Stream[], candidate: string): Caption[] {
  const captions: Caption[] = [];
  let reply = '';
  for (const segment of latest(streams, candidate)) {
    if (!segment.text.trim()) continue;
    const last = captions.at(-1);
    const goesOn = segment.speaker === 'candidate' || replyOf(segment.key) === reply;
    if (segment.speaker === 'interviewer') reply = replyOf(segment.key);
    if (last?.speaker === segment.speaker && goesOn) append(last, segment);
    else captions.push(append({ key: segment.key, speaker: segment.speaker, said: '', partial: '' }, segment));
  }
  return captions;
}

/** Fewer words than these are alike by chance, but at the very end; and so few are never nearly alike. */
const ALIKE_WORDS_MIN = 3;
const NEAR_WORDS_MIN = 5;
/** By so many words may what was read be ahead of what is received. */
const AHEAD_WORDS_MAX = 3;

/**
 * What was said before the room was joined, and since. Words of that moment are in both, and those of the candidate
 * may have been understood anew: they stand once, where they may still grow.
 */
export function joinedUp(earlier: readonly Caption[], captions: readonly Caption[]): readonly Caption[] {
  const last = earlier.at(-1);
  const first = captions.at(0);
  if (!last || !first || last.speaker !== first.speaker) return [...earlier, ...captions];
  const before = last.said.replace(/ …$/, '').split(/\s+/);
  const again = saidAgain(before.map(bare), join(first.said, first.partial).split(/\s+/).map(bare));
  if (again === undefined) return [...earlier, ...captions];
  const said = before.slice(0, again).join(' ');
  return [...earlier.slice(0, -1), ...(said ? [{ ...last, said }] : []), ...captions];
}

/** From which of its words on `before` says what `after` begins with. */
function saidAgain(before: readonly string[], after: readonly string[]): number | undefined {
  const isAgain = (_: string, from: number) => {
    const rest = before.slice(from);
    const same = (words: readonly string[]) => words.every((word, n) => word === after[n]);
    if (Math.min(rest.length, after.length) < ALIKE_WORDS_MIN)
      return (from === 0 || rest.length === after.length) && same(rest);
    if (!same(rest.slice(0, 2)) || rest.length > after.length + AHEAD_WORDS_MAX) return false;
    if (same(rest)) return true;
    // Begun alike, and mostly of the same words in the same order: a word or two in between may be others.
    const known = inBoth(rest, after.slice(0, rest.length + AHEAD_WORDS_MAX));
    return rest.length >= NEAR_WORDS_MIN && known * 3 >= rest.length * 2;
  };
  const from = before.findIndex(isAgain);
  return from < 0 ? undefined : from;
}

/** How many words two texts have in common, in the same order. */
function inBoth(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const word of one) {
    const next = [0];
    other.forEach((others, n) => {
      const longer = word === others ? (row[n] ?? 0) + 1 : 0;
      next.push(Math.max(longer, row[n + 1] ?? 0, next[n] ?? 0));
    });
    row = next;
  }
  return row[other.length] ?? 0;
}

/** A word as it sounds: a final has capitals and commas that its partials had not. */
function bare(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The replies of the interviewer's that have begun. */
export function repliesOf(streams: readonly Stream[], candidate: string): string[] {
  return latest(streams, candidate).flatMap(({ key, speaker }) => (speaker === 'interviewer' ? replyOf(key) : []));
}

/** The reply that a segment is of. Ours are named after their reply: `r3-0`, `r3-1`. */
export function replyOf(key: string): string {
  return key.replace(/-\d+$/, '');
}

/** The segments of both sides in the order in which they began, each as it was told last. */
export function latest(streams: readonly Stream[], candidate: string): Segment[] {
  const segments = new Map<string, Segment>();
  for (const { text, participantInfo, streamInfo } of streams) {
    const attributes = streamInfo.attributes ?? {};
    const speaker = participantInfo.identity === candidate ? 'candidate' : 'interviewer';
    const key = `${speaker} ${attributes['lk.segment_id'] ?? streamInfo.id}`;
    // The interviewer's captions keep step with the sound: what is there has been heard.
    const isFinal = speaker === 'interviewer' || attributes['lk.transcription_final'] === 'true';
    const before = segments.get(key);
    if (before?.isFinal && !isFinal) continue;
    segments.set(key, { key, speaker, text, isFinal });
  }
  return [...segments.values()];
}

function append(caption: Caption, segment: Segment): Caption {
  if (segment.isFinal && !caption.partial) caption.said = join(caption.said, segment.text);
  // A final behind something that may still change waits with it, or words would swap places.
  else caption.partial = join(caption.partial, segment.text);
  return caption;
}

/** Words behind others. */
export function join(before: string, text: string): string {
  return `${before} ${text.trim()}`.trim();
}
