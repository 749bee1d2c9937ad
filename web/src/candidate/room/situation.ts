import { t } from '../../texts';

/** Where the connection to the room stands. */
export type Line =
  | { kind: 'joining' }
  | { kind: 'joined' }
  /** Cut for so long. */
  | { kind: 'cut'; ms: number }
  /** Cut, and nobody tries any more: neither the room nor our server answers. */
  | { kind: 'stopped' }
  /** Another tab has taken our place. */
  | { kind: 'taken' };

/** How far the candidate has got with ending it. */
export type Ending = 'no' | 'asked' | 'sent' | 'accepted';

/** Whether the interviewer is there. */
export type Presence =
  /** Called, and not seen yet. */
  | 'awaited'
  /** Called in vain: none was free. */
  | 'in-line'
  | 'met'
  /** Was there, and nothing comes from them any more. */
  | 'gone';

export interface Facts {
  line: Line;
  ending: Ending;
  microphone: 'on' | 'muted' | 'lost';
  isPaused: boolean;
  /** Whether the field for typing is open: the microphone is off meanwhile. */
  isTyping: boolean;
  /** Whether the candidate has asked for time to think, and has it. */
  isHeld: boolean;
  interviewer: Presence;
  /** `lk.agent.state`, the last one that was heard of. */
  agent: string | undefined;
  /** Whether anything was said yet. */
  begun: boolean;
}

export type Situation =
  | 'second-tab'
  | 'end-asked'
  | 'stopped'
  | 'lost'
  | 'trouble'
  | 'ending'
  | 'no-microphone'
  | 'paused'
  | 'connecting'
  | 'in-line'
  | 'typing'
  | 'muted'
  | 'speaking'
  | 'thinking'
  | 'more-time'
  | 'listening';

/** A cut shorter than this is not worth a word. */
const CUT_SHOWN_AFTER_MS = 1500;

/** Which of all that is so is shown: the first row from the top that is true. */
export function situation(facts: Facts): Situation {
  const { line, ending, microphone, interviewer, agent, begun } = facts;
  if (line.kind === 'taken') return 'second-tab';
  if (line.kind === 'stopped') return 'stopped';
  if (ending === 'asked') return 'end-asked';
  if (line.kind === 'cut' && line.ms >= CUT_SHOWN_AFTER_MS) return 'lost';
  if (ending !== 'no') return 'ending';
  if (interviewer === 'gone') return 'trouble';
  // Who types needs none, and paused nobody hears it.
  if (microphone === 'lost' && !facts.isTyping && !facts.isPaused) return 'no-microphone';
  if (facts.isPaused) return 'paused';
  if (line.kind === 'joining') return 'connecting';
  if (interviewer === 'in-line') return 'in-line';
  if (agent !== 'speaking' && agent !== 'thinking' && agent !== 'listening') return 'connecting';
  // Nobody has asked anything of them: what is thought about is the greeting.
  if (agent === 'thinking' && !begun) return 'connecting';
  if (facts.isTyping) return 'typing';
  if (microphone === 'muted') return 'muted';
  return agent === 'listening' && facts.isHeld ? 'more-time' : agent;
}

/**
 * The word, and the sentence below it. `begun`: the interview goes on where it was. `thinkingSeconds`: how much time
 * the interviewer gives to think.
 */
export function wordsOf(
  situation: Situation,
  interviewer: string,
  begun: boolean,
  thinkingSeconds?: number,
): readonly [string, string] {
  switch (situation) {
    case 'second-tab':
      return [t('situation.secondTab'), t('situation.secondTabIs')];
    case 'end-asked':
      return [t('situation.endAsked'), t('situation.endAskedIs')];
    case 'stopped':
      return [t('situation.stopped'), t('situation.stoppedIs')];
    case 'lost':
      return [t('situation.lost'), t('situation.lostIs')];
    case 'trouble':
      return [t('situation.trouble'), t('situation.troubleIs', { interviewer })];
    case 'ending':
      return [t('situation.ending'), t('situation.endingIs', { interviewer })];
    case 'no-microphone':
      return [t('situation.noMicrophone'), t('situation.noMicrophoneIs', { interviewer })];
    case 'paused':
      return [t('situation.paused'), t('situation.pausedIs')];
    case 'connecting':
      return [
        t('situation.connecting'),
        begun ? t('situation.connectingAgainIs') : t('situation.connectingIs', { interviewer }),
      ];
    case 'in-line':
      return [t('situation.inLine'), t('situation.inLineIs')];
    case 'typing':
      return [t('situation.typing'), t('situation.typingIs')];
    case 'more-time':
      return [t('situation.moreTime'), t('situation.moreTimeIs', { time: clockOf(thinkingSeconds ?? 0) })];
    case 'muted':
      return [t('situation.muted'), t('situation.mutedIs', { interviewer })];
    case 'speaking':
      return [t('situation.speaking'), t('situation.speakingIs')];
    case 'thinking':
      return [t('situation.thinking'), t('situation.thinkingIs')];
    case 'listening':
      return [t('situation.listening'), t('situation.listeningIs')];
  }
}

/** Seconds as minutes, such as `2:00`. */
function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** What the tab says of a situation. */
export function titleOf(situation: Situation, interviewer: string, begun: boolean): string {
  return situation === 'listening' ? t('situation.yourTurn') : wordsOf(situation, interviewer, begun)[0];
}
