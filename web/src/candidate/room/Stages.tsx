import type { Candidate } from '../../api/client';
import { t } from '../../texts';
import { progressOf } from './stages';

interface StagesProps {
  /** In which the stages have their names. */
  language: string;
  stages: Candidate['stages'];
  /** `vivavoce.stage`, once the interviewer has said it. */
  current: string | undefined;
  /** `vivavoce.progress`. */
  progress: string | undefined;
}

/** Where in the interview we are; it grows by the questions asked, not by the clock. */
export function Stages({ language, stages, current, progress }: StagesProps) {
  const at = stages.findIndex((stage) => stage.id === current);
  const part = progressOf(progress) ?? 0.5;
  return (
    <nav aria-label={t('room.stages')}>
      <ol className="stages">
        {stages.map((stage, index) => (
          <li
            key={stage.id}
            className={index < at ? 'done' : undefined}
            aria-current={index === at ? 'step' : undefined}
            style={index === at ? { '--part': `${Math.round(part * 100)}%` } : undefined}
          >
            <span>
              <span lang={language}>{stage.title}</span>
              {index < at && <span className="sr">{t('room.done')}</span>}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
