/** Where the connection to the room stands. */
export type Line =
  | { kind: 'joining' }
  | { kind: 'joined' }
  /** Cut for so long. */
  | { kind: 'cut'; ms: number }
  /** Another tab has taken our place. */
  | { kind: 'taken' };

/** How far the candidate has got with ending it. */
export type Ending = 'no' | 'asked' | 'sent' | 'accepted';

export interface Facts {
  line: Line;
  ending: Ending;
  microphone: 'on' | 'muted' | 'lost';
  /** `lk.agent.state`; undefined when the interviewer is not there. */
  agent: string | undefined;
}

export type Situation =
  | 'second-tab'
  | 'end-asked'
  | 'lost'
  | 'ending'
  | 'no-microphone'
  | 'connecting'
  | 'muted'
  | 'speaking'
  | 'thinking'
  | 'listening';

/** A cut shorter than this is not worth a word. */
const CUT_SHOWN_AFTER_MS = 1500;

/** Which of all that is so is shown: the first row from the top that is true. */
export function situation({ line, ending, microphone, agent }: Facts): Situation {
  if (line.kind === 'taken') return 'second-tab';
  if (ending === 'asked') return 'end-asked';
  if (line.kind === 'cut' && line.ms >= CUT_SHOWN_AFTER_MS) return 'lost';
  if (ending !== 'no') return 'ending';
  if (microphone === 'lost') return 'no-microphone';
  if (line.kind === 'joining') return 'connecting';
  if (agent !== 'speaking' && agent !== 'thinking' && agent !== 'listening') return 'connecting';
  if (microphone === 'muted') return 'muted';
  return agent;
}

/** The word, and the sentence below it. */
export function wordsOf(situation: Situation, interviewer: string): readonly [string, string] {
  switch (situation) {
    case 'second-tab':
      return ['Open in another tab', 'The interview goes on there.'];
    case 'end-asked':
      return ['End the interview?', 'It goes on until you end it.'];
    case 'lost':
      return ['Reconnecting', 'Your answers are saved.'];
    case 'ending':
      return ['Ending', `Your answers are saved. ${interviewer} says goodbye.`];
    case 'no-microphone':
      return ['No microphone', `${interviewer} waits. Your answers are saved.`];
    case 'connecting':
      return ['Connecting', `${interviewer} will greet you in a moment.`];
    case 'muted':
      return ['Muted', `${interviewer} hears you again when you unmute.`];
    case 'speaking':
      return ['Speaking', 'You can cut in at any time.'];
    case 'thinking':
      return ['Thinking', 'One moment. You can still add to your answer.'];
    case 'listening':
      return ['Listening', 'Your turn. Take your time, pauses are fine.'];
  }
}
