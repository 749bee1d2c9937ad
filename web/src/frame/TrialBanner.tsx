import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { useSession } from './SignedIn';

/** Says on every page which built-in parts are in use, and where it is written how to set others. */
export function TrialBanner() {
  const { real_model, real_speech } = useSession();
  if (real_model && real_speech) return null;
  return (
    <details className="trial">
      <summary>
        <Icon name="info" /> {real_model ? t('trial.speech') : real_speech ? t('trial.model') : t('trial.both')}
      </summary>
      {!real_model && <p>{t('trial.modelWhy')}</p>}
      {!real_speech && <p>{t('trial.speechWhy')}</p>}
      <p>{t('trial.how')}</p>
    </details>
  );
}
