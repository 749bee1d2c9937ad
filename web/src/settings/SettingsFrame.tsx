import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Empty } from '../ui/Frame';

interface SettingsFrameProps {
  place: 'accounts' | 'keys' | 'audit';
  about: string;
  children: ReactNode;
}

/** Head and navigation of the settings, which are for admins. */
export function SettingsFrame({ place, about, children }: SettingsFrameProps) {
  const isAdmin = useMay('admin');
  const places = [
    ['accounts', '/settings', t('admin.accounts')],
    ['keys', '/settings/keys', t('admin.keys')],
    ['audit', '/settings/audit', t('admin.audit')],
  ] as const;
  const title = places.find(([name]) => name === place)?.[2] ?? '';
  if (!isAdmin)
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
        {places.map(([name, href, word]) => (
          <Link key={name} href={href} aria-current={name === place ? 'page' : undefined}>
            {word}
          </Link>
        ))}
      </nav>
      {children}
    </RecruiterFrame>
  );
}
