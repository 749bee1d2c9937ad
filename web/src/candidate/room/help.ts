import { t } from '../../texts';
import type { ControlAnswer } from './control';

/** What the interviewer is asked for by a button. */
export type HelpRequest = 'repeat' | 'rephrase' | 'more_time' | 'skip' | 'pause' | 'resume';

/** The last thing that was asked for, and what became of it. */
export interface Asked {
  id: string;
  request: HelpRequest;
  /** `absent`: there was nobody to ask. */
  state: 'sent' | 'accepted' | 'refused' | 'unanswered' | 'absent';
  /** Why it was refused, in words. */
  why?: string;
}

export interface Help {
  asked: Asked | undefined;
  /** Whether the interview stands still, as far as this page has asked for it. */
  isPaused: boolean;
}

export type HelpEvent =
  | { kind: 'pressed'; id: string; request: HelpRequest; isThere: boolean }
  | { kind: 'answered'; answer: ControlAnswer }
  /** The time for an answer of the interviewer is over. */
  | { kind: 'waited'; id: string }
  /** What was said about it has stood for long enough. */
  | { kind: 'faded'; id: string };

export const NOTHING_ASKED: Help = { asked: undefined, isPaused: false };

/** What can be asked for, by `vivavoce.help`; an interviewer who does not tell it takes everything. */
export function isOffered(request: HelpRequest, told: string | undefined): boolean {
  return told === undefined || told.split(' ').includes(request);
}

/** What became of the buttons by an event. */
export function helpAfter(help: Help, event: HelpEvent): Help {
  const { asked } = help;
  switch (event.kind) {
    case 'pressed': {
      const { id, request, isThere } = event;
      return { ...help, asked: { id, request, state: isThere ? 'sent' : 'absent' } };
    }
    case 'answered':
      if (asked?.id !== event.answer.id) return help;
      return answered(help, { ...asked, state: event.answer.answer, why: event.answer.reason });
    case 'waited':
      if (asked?.id !== event.id || asked.state !== 'sent') return help;
      return { ...help, asked: { ...asked, state: 'unanswered' } };
    case 'faded':
      return asked?.id === event.id && asked.state !== 'sent' ? { ...help, asked: undefined } : help;
  }
}

function answered(help: Help, asked: Asked): Help {
  const isAccepted = asked.state === 'accepted';
  switch (asked.request) {
    case 'pause':
      return { asked, isPaused: isAccepted || help.isPaused };
    // Refused, there is no pause to end.
    case 'resume':
      return { asked: isAccepted ? asked : undefined, isPaused: false };
    case 'more_time':
    case 'repeat':
    case 'rephrase':
    case 'skip':
      return { ...help, asked };
  }
}

/** What is said about it, at once and when it is answered. */
export function helpSentenceOf({ request, state, why }: Asked, interviewer: string): string {
  switch (state) {
    case 'sent':
      return SENT[request];
    case 'accepted':
      return ACCEPTED[request];
    case 'refused':
      return why ? t('refusal.is', { why }) : t('help.refused', { interviewer });
    case 'unanswered':
      return t('help.unanswered', { interviewer });
    case 'absent':
      return t('help.absent', { interviewer });
  }
}

const SENT: Record<HelpRequest, string> = {
  repeat: t('help.repeatSent'),
  rephrase: t('help.rephraseSent'),
  more_time: t('help.moreTimeSent'),
  skip: t('help.skipSent'),
  pause: t('help.pauseSent'),
  resume: t('help.resumeSent'),
};

const ACCEPTED: Record<HelpRequest, string> = {
  repeat: t('help.repeatIs'),
  rephrase: t('help.rephraseIs'),
  more_time: t('help.moreTimeIs'),
  skip: t('help.skipIs'),
  pause: t('help.pauseIs'),
  resume: t('help.resumeIs'),
};
