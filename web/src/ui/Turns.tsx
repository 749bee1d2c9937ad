import type { Candidate, Transcript } from '../api/client';
import { t } from '../texts';

interface TurnsProps {
  transcript: Transcript;
  /** How the candidate is called. */
  you: string;
  interviewer: string;
  stages: Candidate['stages'];
}

/** All that was said. */
export function Turns({ transcript, you, interviewer, stages }: TurnsProps) {
  if (transcript.turns.length === 0) return <p>{t('nothingSaid')}</p>;
  return (
    <ol className="turns">
      {transcript.turns.map((turn, index) => (
        <li className={turn.speaker === 'candidate' ? 'turn you' : 'turn them'} key={`${index}-${turn.at_ms}`}>
          <div>
            <p className="meta">
              <b>{turn.speaker === 'candidate' ? you : interviewer}</b>
              <span>{stages.find((stage) => stage.id === turn.stage)?.title ?? ''}</span>
            </p>
            <p className="voice">{turn.cut ? `${turn.text} …` : turn.text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
