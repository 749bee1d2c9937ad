import { useEffect, useRef, useState } from 'react';
import { t } from '../../texts';
import { saidNext } from './says';
import type { Situation } from './situation';

const SAID: Partial<Record<Situation, string>> = {
  listening: t('says.yourTurn'),
  'in-line': t('says.inLine'),
  trouble: t('says.trouble'),
  ending: t('says.ending'),
  paused: t('says.paused'),
};

interface SaysProps {
  situation: Situation;
  stageTitle: string | undefined;
  /** How many typed answers the interviewer has taken. */
  taken: number;
  /** Whether there is a form to fill in. */
  hasForm: boolean;
  /** How many of its fields the interviewer has taken. */
  filled: number;
  /** What came of the last press of a button. */
  cameOf: string | undefined;
}

/**
 * The one live region: whose turn it is, stage changes, what came of a button, that a typed answer has arrived, that
 * there is a form, that it ends. Never the interviewer's sentences.
 */
export function Says({ situation, stageTitle, taken, hasForm, filled, cameOf }: SaysProps) {
  const [said, setSaid] = useState('');
  const stage = useRef(stageTitle);
  useEffect(() => {
    if (stageTitle && stage.current !== stageTitle) {
      stage.current = stageTitle;
      setSaid((was) => saidNext(was, t('says.next', { stage: stageTitle })));
    }
  }, [stageTitle]);
  useEffect(() => {
    if (taken > 0) setSaid((was) => saidNext(was, t('says.sent')));
  }, [taken]);
  useEffect(() => {
    const text = SAID[situation];
    if (text) setSaid((was) => saidNext(was, text));
  }, [situation]);
  useEffect(() => {
    if (cameOf) setSaid((was) => saidNext(was, cameOf));
  }, [cameOf]);
  useEffect(() => {
    if (hasForm) setSaid((was) => saidNext(was, t('form.isThere')));
  }, [hasForm]);
  useEffect(() => {
    if (filled > 0) setSaid((was) => saidNext(was, t('form.isSent')));
  }, [filled]);
  return (
    <p className="sr" role="status">
      {said}
    </p>
  );
}
