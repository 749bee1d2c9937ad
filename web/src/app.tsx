import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { AfterPage } from './candidate/after/AfterPage';
import { InterviewPage } from './interviews/InterviewPage';
import { LaunchPage } from './launch/LaunchPage';
import { NotLoaded, Whole } from './NotLoaded';
import { t } from './texts';
import { Empty, Frame, Loading } from './ui/Frame';

const CandidatePage = lazy(() => import('./candidate/CandidatePage').catch(() => ({ default: NotLoaded })));

export function App() {
  return (
    <Whole>
      <Switch>
        <Route path="/">
          <LaunchPage />
        </Route>
        <Route path="/interviews/:id">{({ id }) => <InterviewPage key={id} id={id} />}</Route>
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
