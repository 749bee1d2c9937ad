import { useState } from 'react';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { clockOf } from '../ui/time';
import { partsOf, type Turn, turnAnchor } from './turns';
import { useHearing } from './usePlayer';

interface TranscriptCardProps {
  turns: readonly Turn[];
  stages: readonly { id: string; title: string }[];
  /** How the candidate is called. */
  name: string;
  interviewer: string;
  /** What the candidate has put right afterwards, by the turn's place. */
  corrections: readonly { turn: number; text: string }[];
}

/** All that was said, by stages; each turn can be heard where there is a recording. */
export function TranscriptCard({ turns, stages, name, interviewer, corrections }: TranscriptCardProps) {
  const [words, setWords] = useState('');
  const [stage, setStage] = useState('');
  const parts = partsOf(turns, stages, { stage, words });
  const found = parts.reduce((sum, part) => sum + part.turns.length, 0);
  return (
    <section className="card" aria-labelledby="said-h">
      <h2 id="said-h" tabIndex={-1}>
        {t('interviews.said')}
      </h2>
      <p className="soft">{t('interviews.understood')}</p>
      {turns.length === 0 && <p>{t('nothingSaid')}</p>}
      {turns.length > 6 && (
        <search className="row tools2">
          <div className="field find">
            <label className="sr" htmlFor="find-words">
              {t('transcript.find')}
            </label>
            <input
              id="find-words"
              type="search"
              placeholder={t('transcript.find')}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          </div>
          <label className="small row">
            {t('transcript.stage')}{' '}
            <select value={stage} onChange={({ target }) => setStage(target.value)}>
              <option value="">{t('transcript.all')}</option>
              {stages.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <span className="small soft" role="status">
            {(words.trim() || stage) && t('transcript.found', { count: found })}
          </span>
        </search>
      )}
      <ol className="turns">
        {parts.map(({ title, turns }, index) => (
          <li key={`${index}-${title}`}>
            {title && (
              <div className="cut-line">
                <h3>{title}</h3>
                <span className="small soft num">{clockOf(turns[0]?.turn.at_ms ?? 0)}</span>
              </div>
            )}
            <ol className="turns">
              {turns.map(({ turn, index }) => (
                <TurnRow
                  key={index}
                  turn={turn}
                  index={index}
                  who={turn.speaker === 'candidate' ? name : interviewer}
                  correction={corrections.find((one) => one.turn === index)?.text}
                />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface TurnRowProps {
  turn: Turn;
  index: number;
  who: string;
  correction: string | undefined;
}

function TurnRow({ turn, index, who, correction }: TurnRowProps) {
  const { canHear, hear, current } = useHearing();
  const time = clockOf(turn.at_ms);
  return (
    <li
      id={turnAnchor(index)}
      tabIndex={-1}
      className={turn.speaker === 'candidate' ? 'turn you' : 'turn them'}
      aria-current={current === index || undefined}
    >
      {canHear && (
        <button
          type="button"
          className="play"
          aria-label={t('transcript.hear', { time })}
          onClick={() => hear?.(turn.at_ms)}
        >
          <Icon name="play" />
        </button>
      )}
      <div>
        <p className="meta">
          <b>{who}</b>
          <span className="num">{time}</span>
          {turn.cut && <span className="tag">{t('transcript.cut')}</span>}
        </p>
        <p className="voice">{turn.cut ? `${turn.text} …` : turn.text}</p>
        {correction && (
          <p className="small">
            {t('transcript.corrected')} <q>{correction}</q>
          </p>
        )}
      </div>
    </li>
  );
}
