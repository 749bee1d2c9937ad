import type { CriterionVerdict } from '../api/contract';
import { t } from '../texts';
import { LEVELS, VERDICT_SHAPES, VERDICT_WORDS } from './levels';

/** A level as word, number and shape; without evidence there is no level, and the words say why. */
export function LevelView({ level, verdict }: { level: number | null; verdict: CriterionVerdict }) {
  return (
    <span className="lvl">
      {level !== null && (
        <>
          <span className="lv" aria-hidden="true">
            {LEVELS.map((step) => (
              <i key={step} className={step <= level ? 'on' : undefined} />
            ))}
          </span>
          <span className="num">{t('level.of', { level })}</span>
        </>
      )}
      <span className={VERDICT_SHAPES[verdict]}>{VERDICT_WORDS[verdict]}</span>
    </span>
  );
}
