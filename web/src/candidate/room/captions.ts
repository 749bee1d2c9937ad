/** One text stream on `lk.transcription`, as far as it has come. */
export interface Stream {
  text: string;
  participantInfo: { identity: string };
  streamInfo: { id: string; timestamp: number; attributes?: Record<string, string> | undefined };
}

/** What one side said in one go. */
export interface Caption {
  key: string;
  speaker: 'interviewer' | 'candidate';
  /** What stands. */
  said: string;
  /** What may still change; drawn grey. */
  partial: string;
}

interface Segment {
  key: string;
  speaker: Caption['speaker'];
  text: string;
  isFinal: boolean;
}

/**
 * Captions of both sides in the order in which they began. Segments of one speaker in a row are one
 * caption; a newer stream of the same segment replaces the older one, at its old place.
 */
export function captionsOf(streams: readonly Stream[], candidate: string): Caption[] {
  const captions: Caption[] = [];
  for (const segment of latest(streams, candidate)) {
    if (!segment.text.trim()) continue;
    const last = captions.at(-1);
    if (last?.speaker === segment.speaker) append(last, segment);
    else captions.push(append({ key: segment.key, speaker: segment.speaker, said: '', partial: '' }, segment));
  }
  return captions;
}

/** A request without a question mark, such as "Tell me about a project that went wrong."; remarks are shorter. */
const STATED_WORDS_MIN = 6;

/** The interviewer's latest question: the last sentence that asks, else the last one of some length. */
export function questionOf(captions: readonly Caption[]): string | undefined {
  for (const caption of captions.toReversed()) {
    if (caption.speaker !== 'interviewer') continue;
    const sentences = caption.said.match(/[^.?!]+[.?!]*/g)?.map((sentence) => sentence.trim()) ?? [];
    const question = sentences.findLast(
      (sentence) => sentence.endsWith('?') || sentence.split(/\s+/).length >= STATED_WORDS_MIN,
    );
    if (question) return question;
  }
  return undefined;
}

function latest(streams: readonly Stream[], candidate: string): Segment[] {
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

function join(before: string, text: string): string {
  return before ? `${before} ${text.trim()}` : text.trim();
}
