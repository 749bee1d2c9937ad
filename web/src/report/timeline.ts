import type { EventKind, Timeline } from '../api/contract';
import { t } from '../texts';
import { clockOf } from '../ui/time';

/** The picture's own measures. */
export const PICTURE = { width: 1160, height: 172, left: 104, right: 1152 };
const LETTER = 6.5;

/** Where a time stands in the picture. */
export function xOf(ms: number, duration_ms: number): number {
  const share = duration_ms > 0 ? Math.min(1, Math.max(0, ms / duration_ms)) : 0;
  return PICTURE.left + share * (PICTURE.right - PICTURE.left);
}

export interface Block {
  x: number;
  width: number;
  /** Nothing where it would not fit. */
  label: string;
  title: string;
}

/** The stages as blocks; a block that is too short for its name goes without. */
export function blocksOf({ stages, duration_ms }: Timeline): Block[] {
  return stages.map(({ title, from_ms, to_ms }) => {
    const x = xOf(from_ms, duration_ms);
    const width = Math.max(1, xOf(to_ms, duration_ms) - x - 1.5);
    const label = title.length * LETTER + 14 <= width ? title : '';
    return { x, width, label, title: t('timeline.stage', { title, from: clockOf(from_ms), to: clockOf(to_ms) }) };
  });
}

/** Stretches of speech of one side; those that touch each other in the picture are joined, so that there are not thousands. */
export function stretchesOf(
  { speech, duration_ms }: Timeline,
  speaker: 'candidate' | 'interviewer',
): { x: number; width: number }[] {
  const joined: { x: number; width: number }[] = [];
  for (const { from_ms, to_ms } of speech.filter((one) => one.speaker === speaker)) {
    const x = xOf(from_ms, duration_ms);
    const end = Math.max(x + 1, xOf(to_ms, duration_ms));
    const last = joined.at(-1);
    if (last && x - (last.x + last.width) < 0.5) last.width = Math.max(last.width, end - last.x);
    else joined.push({ x, width: end - x });
  }
  return joined;
}

const STEPS_S = [15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const TICKS_MAX = 14;

/** At which times the scale has a mark. */
export function ticksOf(duration_ms: number): number[] {
  const step = (STEPS_S.find((step) => duration_ms / 1000 / step <= TICKS_MAX) ?? 7200) * 1000;
  return Array.from({ length: Math.floor(duration_ms / step) + 1 }, (_, index) => index * step);
}

/** What is there at a time, in words: its stage, and who speaks. */
export function whatAt({ stages, speech }: Timeline, ms: number): string {
  const within = ({ from_ms, to_ms }: { from_ms: number; to_ms: number }) => from_ms <= ms && ms < to_ms;
  const stage = stages.find(within)?.title;
  const speaker = speech.find(within)?.speaker;
  const who = speaker === 'candidate' ? t('timeline.candidateSpeaks') : t('timeline.interviewerSpeaks');
  return [stage, speaker ? who : t('timeline.silence')].filter(Boolean).join(', ');
}

/** A time for a screen reader. */
export function spokenTimeOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return t('timeline.time', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

export const EVENT_WORDS: Record<EventKind, string> = {
  barge_in: t('timeline.bargeIn'),
  nudge: t('timeline.nudge'),
  handoff: t('timeline.handoff'),
  pause: t('timeline.pause'),
  line_cut: t('timeline.lineCut'),
  repeat: t('timeline.repeat'),
  skip: t('timeline.skip'),
};

/** All of the picture in a sentence or two, for who does not see it. */
export function describe({ duration_ms, stages, events, speech }: Timeline): string {
  const spoken = (speaker: string) =>
    speech
      .filter((one) => one.speaker === speaker)
      .reduce((sum, { from_ms, to_ms }) => sum + Math.max(0, to_ms - from_ms), 0);
  const [candidate, interviewer] = [spoken('candidate'), spoken('interviewer')];
  const share = candidate + interviewer > 0 ? Math.round((100 * candidate) / (candidate + interviewer)) : 0;
  const kinds = (Object.keys(EVENT_WORDS) as EventKind[]).flatMap((kind) => {
    const number = events.filter((event) => event.kind === kind).length;
    return number > 0 ? t('timeline.counted', { what: EVENT_WORDS[kind], number }) : [];
  });
  const length = t('timeline.length', { time: clockOf(duration_ms), count: stages.length, share });
  return [length, kinds.join(', '), t('timeline.below')].filter(Boolean).join(' ');
}
