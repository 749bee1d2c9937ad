import type { Manner } from '../api/contract';
import { MANNERS } from '../openings/words';
import { t } from '../texts';
import { Notice } from '../ui/Notice';

/** Says that an interview is with nobody, and how whoever is none behaves. */
export function SimulatedNotice({ manner }: { manner: Manner | null | undefined }) {
  return (
    <Notice icon="info" heading={t('simulated.heading')}>
      <p>
        {t('simulated.nobody')} {manner && t('simulated.behaves', { manner: MANNERS[manner] })}
      </p>
    </Notice>
  );
}
