import { t } from '../../texts';

/** The time that has passed, in words: rounded, and of the longest that it can take. */
export function timeSentenceOf(passedMs: number, limitSeconds: number): string {
  const of = Math.ceil(limitSeconds / 60);
  const passed = Math.min(of, Math.round(passedMs / 60_000));
  return passed === 0 ? t('clock.begun', { of }) : t('clock.passed', { passed, of });
}

/** Seconds from the attribute `vivavoce.elapsed`; undefined where it says nothing. */
export function elapsedOf(attribute: string | undefined): number | undefined {
  return attribute !== undefined && /^\d+$/.test(attribute) ? Number(attribute) : undefined;
}
