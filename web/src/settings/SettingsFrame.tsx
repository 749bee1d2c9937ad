import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Empty } from '../ui/Frame';

interface SettingsFrameProps {
  place: 'accounts' | 'keys' | 'webhooks' | 'audit' | 'language';
  about: string;
  children: ReactNode;
}

/** Head and navigation of the settings, which are for admins; the language is for all. */
export function SettingsFrame({ place, about, children }: SettingsFrameProps) {
  const isAdmin = useMay('admin');
  const places = [
    ['accounts', '/settings', t('admin.accounts')],
    ['keys', '/settings/keys', t('admin.keys')],
    ['webhooks', '/settings/webhooks', t('webhooks.webhooks')],
    ['audit', '/settings/audit', t('admin.audit')],
    ['language', '/settings/language', t('admin.language')],
  ] as const;
  const title = places.find(([name]) => name === place)?.[2] ?? '';
  if (!isAdmin && place !== 'language')
    return (
      <RecruiterFrame title={title} page="">
        <Empty heading={t('admin.forAdmins')}>
          <p>{t('admin.askAdmin')}</p>
        </Empty>
      </RecruiterFrame>
    );
  return (
    <RecruiterFrame title={title} page="">
      <div className="head">
        <div>
          <h1>{t('frame.settings')}</h1>
          <p>{about}</p>
        </div>
      </div>
      <nav className="places" aria-label={t('admin.places')}>
        {places
          .filter(([name]) => isAdmin || name === place)
          .map(([name, href, word]) => (
            <Link key={name} href={href} aria-current={name === place ? 'page' : undefined}>
              {word}
            </Link>
          ))}
      </nav>
      {children}
    </RecruiterFrame>
  );
}
