import { t } from '../texts';
import { isLocalHost } from './localHost';
import { Notice } from './Notice';

/** Says so where a link leads to this machine, which nobody else reaches by it. */
export function LocalHint() {
  if (!isLocalHost(location.hostname)) return null;
  return (
    <Notice kind="warn" icon="warn" heading={t('local.heading')}>
      <p>{t('local.why')}</p>
    </Notice>
  );
}
