import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect } from 'react';
import type { Account, Role, SessionView } from '../api/contract';
import { session } from '../api/session';
import { onSignedOut } from '../api/signedOut';
import { NotLoaded } from '../NotLoaded';
import { t } from '../texts';
import { Empty, Frame, Loading } from '../ui/Frame';
import { isAnother, mayAs } from './may';

const SignInPage = lazy(() => import('../sign-in/SignInPage').catch(() => ({ default: NotLoaded })));
const SetUpPage = lazy(() => import('../sign-in/SetUpPage').catch(() => ({ default: NotLoaded })));

const Confirming = lazy(() => import('./Confirming').then(({ Confirming }) => ({ default: Confirming })));

type Signed = SessionView & { account: Account };

const Session = createContext<Signed | undefined>(undefined);

/** Who is signed in, on the pages that need it. */
export function useSession(): Signed {
  const view = use(Session);
  if (!view) throw new Error('this part of a page needs SignedIn around it');
  return view;
}

/** Whether who is signed in may do what this role may. */
export function useMay(role: Role): boolean {
  return mayAs(useSession().account.role, role);
}

/** The pages of who is signed in. Who is not signs in at the same address, and is then where they wanted to be. */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data: view, error, refetch } = useQuery(session);
  const account = view?.account ?? undefined;
  useEffect(() => {
    onSignedOut(() => {
      client.setQueryData(session.queryKey, (now) => now && { ...now, state: 'signed_out' as const, account: null });
      // What it is now: there may be no account at all any more.
      client.invalidateQueries({ queryKey: session.queryKey });
    });
    return () => onSignedOut(() => {});
  }, [client]);
  useEffect(() => {
    // What somebody else has typed and loaded in this tab is not shown to who comes after them.
    if (account && isAnother(account.id)) location.reload();
  }, [account]);

  if (error && !view) return <Unreachable why={error.message} onAgain={() => refetch()} />;
  if (!view) return <Waiting />;
  if (view.state === 'signed_in' && account)
    return (
      <Session value={{ ...view, account }}>
        {children}
        <Suspense fallback={null}>
          <Confirming />
        </Suspense>
      </Session>
    );
  return (
    <Suspense fallback={<Waiting />}>
      {view.state === 'set_up' ? <SetUpPage session={view} /> : <SignInPage session={view} />}
    </Suspense>
  );
}

export function Waiting() {
  return (
    <Frame title={t('loading')} page="narrow">
      <Loading />
    </Frame>
  );
}

function Unreachable({ why, onAgain }: { why: string; onAgain: () => void }) {
  return (
    <Frame title={t('failed.notLoaded')} page="narrow">
      <Empty heading={t('failed.notLoaded')}>
        <p>{why}</p>
        <button type="button" className="btn" onClick={onAgain}>
          {t('tryAgain')}
        </button>
      </Empty>
    </Frame>
  );
}
