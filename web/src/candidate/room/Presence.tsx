import { useEffect, useState } from 'react';
import { t } from '../../texts';
import { type Situation, wordsOf } from './situation';

/** What is said of a state that lasts. */
const LONG: Partial<Record<Situation, { afterMs: number; sentence: string }>> = {
  connecting: { afterMs: 8000, sentence: t('room.longConnecting') },
  thinking: { afterMs: 4000, sentence: t('room.longThinking') },
};

interface PresenceProps {
  situation: Situation;
  interviewer: string;
  /** Whether the interviewer was there before. */
  begun: boolean;
  /** Whether the page was loaded anew, and waits for them to go on. */
  isBack: boolean;
  /** Whether the interviewer speaks, which who types may miss. */
  isSpoken: boolean;
  /** How many seconds there are to think. */
  thinkingSeconds: number | undefined;
}

/** The word and its sentence; a state that lasts gets a second sentence. */
export function Presence(props: PresenceProps) {
  const { situation, interviewer, begun, isBack, isSpoken, thinkingSeconds } = props;
  const [lasts, setLasts] = useState(false);
  const long = LONG[situation];
  useEffect(() => {
    setLasts(false);
    if (!long) return;
    const timer = window.setTimeout(() => setLasts(true), long.afterMs);
    return () => window.clearTimeout(timer);
  }, [long]);
  const [word, usual] = wordsOf(situation, interviewer, begun, thinkingSeconds);
  const isWelcome = situation === 'paused' && isBack;
  const sentence = isWelcome
    ? t('situation.backIs', { interviewer })
    : situation === 'typing' && isSpoken
      ? t('situation.typingSpokenIs', { interviewer })
      : usual;
  return (
    <div data-situation={situation}>
      <p className="word">{isWelcome ? t('situation.back') : word}</p>
      <p className="soft">{lasts && long ? long.sentence : sentence}</p>
    </div>
  );
}
