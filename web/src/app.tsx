import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { AfterPage } from './candidate/after/AfterPage';
import { SignedIn, Waiting } from './frame/SignedIn';
import { NotLoaded, Whole } from './NotLoaded';
import { t } from './texts';
import { Empty, Frame, Loading } from './ui/Frame';

/** A page with its own code, which is loaded when it is opened. */
const page = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => load().catch(() => ({ default: NotLoaded as ComponentType<P> })));

const CandidatePage = page(() => import('./candidate/CandidatePage'));
const WelcomePage = page(() => import('./sign-in/WelcomePage'));
const HomePage = page(() => import('./home/HomePage'));
const OpeningsPage = page(() => import('./openings/OpeningsPage'));
const NewOpeningPage = page(() => import('./openings/NewOpeningPage'));
const EditOpeningPage = page(() => import('./openings/EditOpeningPage'));
const OpeningPage = page(() => import('./openings/OpeningPage'));
const AddCandidatesPage = page(() => import('./openings/AddCandidatesPage'));
const ComparePage = page(() => import('./openings/ComparePage'));
const AboutOpeningPage = page(() => import('./openings/AboutOpeningPage'));
const BlueprintsPage = page(() => import('./blueprints/BlueprintsPage'));
const BlueprintPage = page(() => import('./blueprints/BlueprintPage'));
const InterviewsPage = page(() => import('./interviews/InterviewsPage'));
const ReceiptsPage = page(() => import('./interviews/ReceiptsPage'));
const InterviewPage = page(() => import('./interviews/InterviewPage'));
const LaunchPage = page(() => import('./launch/LaunchPage'));
const AccountsPage = page(() => import('./settings/AccountsPage'));
const KeysPage = page(() => import('./settings/KeysPage'));
const WebhooksPage = page(() => import('./settings/WebhooksPage'));
const AuditPage = page(() => import('./settings/AuditPage'));
const LanguagePage = page(() => import('./settings/LanguagePage'));
const AccountPage = page(() => import('./settings/AccountPage'));
const SharedPage = page(() => import('./share/SharedPage'));

export function App() {
  return (
    <Whole>
      <Switch>
        <Route path="/i/:token">
          {({ token }) => (
            <Suspense
              fallback={
                <Frame title={t('before.loading')} page="before">
                  <Loading />
                </Frame>
              }
            >
              <CandidatePage key={token} token={token} />
            </Suspense>
          )}
        </Route>
        <Route path="/i/:token/after">{({ token }) => <AfterPage key={token} token={token} />}</Route>
        <Route path="/welcome">
          <Suspense fallback={<Waiting />}>
            <WelcomePage />
          </Suspense>
        </Route>
        <Route path="/s">
          <Suspense fallback={<Waiting />}>
            <SharedPage />
          </Suspense>
        </Route>
        <Route path="/sign-in">
          <Redirect to="/" replace />
        </Route>
        <Route path="/">{signedIn(<HomePage />)}</Route>
        <Route path="/openings">{signedIn(<OpeningsPage />)}</Route>
        <Route path="/openings/new">{signedIn(<NewOpeningPage />)}</Route>
        <Route path="/openings/:id">{({ id }) => signedIn(<OpeningPage key={id} id={id} />)}</Route>
        <Route path="/openings/:id/edit">{({ id }) => signedIn(<EditOpeningPage key={id} id={id} />)}</Route>
        <Route path="/openings/:id/add">{({ id }) => signedIn(<AddCandidatesPage key={id} id={id} />)}</Route>
        <Route path="/openings/:id/compare">{({ id }) => signedIn(<ComparePage key={id} id={id} />)}</Route>
        <Route path="/openings/:id/about">{({ id }) => signedIn(<AboutOpeningPage key={id} id={id} />)}</Route>
        <Route path="/blueprints">{signedIn(<BlueprintsPage />)}</Route>
        <Route path="/blueprints/:name">{({ name }) => signedIn(<BlueprintPage key={name} name={name} />)}</Route>
        <Route path="/interviews">{signedIn(<InterviewsPage />)}</Route>
        <Route path="/receipts">{signedIn(<ReceiptsPage />)}</Route>
        <Route path="/interviews/:id">{({ id }) => signedIn(<InterviewPage key={id} id={id} />)}</Route>
        <Route path="/launch">{signedIn(<LaunchPage />)}</Route>
        <Route path="/settings">{signedIn(<AccountsPage />)}</Route>
        <Route path="/settings/keys">{signedIn(<KeysPage />)}</Route>
        <Route path="/settings/webhooks">{signedIn(<WebhooksPage />)}</Route>
        <Route path="/settings/audit">{signedIn(<AuditPage />)}</Route>
        <Route path="/settings/language">{signedIn(<LanguagePage />)}</Route>
        <Route path="/account">{signedIn(<AccountPage />)}</Route>
        <Route>
          <Frame title={t('noPage.title')} page="before">
            <Empty heading={t('noPage.heading')}>
              <p>{t('noPage.check')}</p>
            </Empty>
          </Frame>
        </Route>
      </Switch>
    </Whole>
  );
}

/** A page of who is signed in. */
function signedIn(page: ReactNode) {
  return (
    <SignedIn>
      <Suspense fallback={<Waiting />}>{page}</Suspense>
    </SignedIn>
  );
}
