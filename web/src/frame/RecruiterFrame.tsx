import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut } from '../api/session';
import { ROLES } from '../settings/words';
import { t } from '../texts';
import { Frame } from '../ui/Frame';
import { Icon } from '../ui/Icon';
import { Menu, MenuItem } from '../ui/Menu';
import { useMay, useSession } from './SignedIn';
import { TrialBanner } from './TrialBanner';

interface RecruiterFrameProps {
  title: string;
  /** The page's own class. */
  page: string;
  children: ReactNode;
}

/** Bar with navigation and account, and the content, of every page of who is signed in. */
export function RecruiterFrame({ title, page, children }: RecruiterFrameProps) {
  const { account } = useSession();
  return (
    <Frame
      title={title}
      page={page}
      home="/"
      tools={
        <>
          <Navigation />
          <span className="push">
            <Menu
              button={
                <>
                  <Icon name="person" /> {account.name}
                </>
              }
              head={
                <>
                  <b>{account.name}</b>
                  <br />
                  <span className="small soft">{account.email}</span>
                  <br />
                  <span className="small soft">{ROLES[account.role]}</span>
                </>
              }
            >
              <AccountItems />
            </Menu>
          </span>
        </>
      }
    >
      <TrialBanner />
      {children}
    </Frame>
  );
}

function AccountItems() {
  const [, go] = useLocation();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      sessionStorage.clear();
      // All that was loaded goes with the page.
      location.assign('/');
    },
  });
  return (
    <>
      <MenuItem onDo={() => go('/account')}>{t('frame.password')}</MenuItem>
      <MenuItem onDo={() => go('/settings/language')}>{t('frame.language')}</MenuItem>
      <MenuItem onDo={() => leaving.mutate()}>{t('frame.signOut')}</MenuItem>
    </>
  );
}

function Navigation() {
  const isAdmin = useMay('admin');
  const [path] = useLocation();
  const places = [
    ['/', t('frame.home')],
    ['/openings', t('frame.openings')],
    ['/interviews', t('frame.interviews')],
    ['/blueprints', t('frame.blueprints')],
    ...(isAdmin ? [['/settings', t('frame.settings')] as const] : []),
  ] as const;
  return (
    <nav aria-label={t('frame.main')}>
      <ul>
        {places.map(([href, name]) => (
          <li key={href}>
            <Link href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function isWithin(path: string, place: string): boolean {
  return place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
}
