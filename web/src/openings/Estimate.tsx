import type { Estimate } from '../api/contract';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Notice } from '../ui/Notice';

const HUES = [1, 2, 3, 4, 5] as const;
const hueOf = (index: number) => `var(--hop-${HUES[index % HUES.length] ?? 1})`;

/** What of the bar is beyond the stages, and where in it the limit is, in per cent. */
export function sharesOf({ stages, length_limit_min }: Pick<Estimate, 'stages' | 'length_limit_min'>): {
  left: number;
  limitAt: number;
} {
  const sum = stages.reduce((all, { minutes }) => all + minutes, 0);
  const whole = Math.max(sum, length_limit_min, 1);
  return { left: whole - sum, limitAt: (100 * length_limit_min) / whole };
}

/** How long an interview takes: from when to when, its stages as a picture and in words, and the limit. */
export function EstimateView({ estimate }: { estimate: Estimate }) {
  const { stages, minutes_from, minutes_to, length_limit_min, over_booked } = estimate;
  const { left, limitAt } = sharesOf(estimate);
  return (
    <>
      <p className="big num">
        {minutes_from === minutes_to
          ? t('estimate.about', { minutes: minutes_to })
          : t('estimate.between', { from: minutes_from, to: minutes_to })}
      </p>
      <p className="small soft">{t('estimate.why')}</p>
      <div className="plan" style={{ '--at': `${limitAt}%` }}>
        <div
          className="bar"
          role="img"
          aria-label={t('estimate.picture', { minutes: minutes_to, limit: length_limit_min })}
        >
          {stages.map(({ title, minutes }, index) => (
            <i key={`${index}-${title}`} style={{ '--w': minutes, '--c': hueOf(index) }} />
          ))}
          {left > 0 && <i style={{ '--w': left, '--c': 'transparent' }} />}
        </div>
        <span className="mark num">{t('estimate.limit', { limit: length_limit_min })}</span>
      </div>
      <ul className="minutes">
        {stages.map(({ title, minutes }, index) => (
          <li key={`${index}-${title}`}>
            <span className="key" style={{ '--c': hueOf(index) }}>
              {title}
            </span>
            <span className="num">{t('estimate.upTo', { minutes })}</span>
          </li>
        ))}
      </ul>
      {over_booked && (
        <Notice kind="bad" icon="warn" heading={t('estimate.tooLong')} told="soon">
          <p>{ofServer(over_booked)}</p>
        </Notice>
      )}
    </>
  );
}
