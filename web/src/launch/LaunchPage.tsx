import { useQuery } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { Link } from 'wouter';
import type { Blueprint, Launched, RoleChoices } from '../api/client';
import * as queries from '../api/queries';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { t } from '../texts';
import { Notice } from '../ui/Notice';
import { BlueprintField, Estimate } from './BlueprintField';
import { useLaunched } from './drafts';
import { LinkCard } from './LinkCard';
import { DocumentsCard } from './plan/DocumentsCard';
import { PlanCard } from './plan/PlanCard';
import { Summary } from './Summary';
import { TextsCard, WhoCard } from './TextCards';
import { useLaunch } from './useLaunch';

/** U02, thin: who, for what, by which blueprint and plan; then the link to send. */
export function LaunchPage() {
  const { data: blueprints, error: noBlueprints } = useQuery(queries.blueprints);
  const { data: choices, error: noChoices } = useQuery(queries.roles);
  const trouble = (noBlueprints ?? noChoices)?.message;
  const [launched, setLaunched] = useLaunched();
  return (
    <RecruiterFrame title={t('launch.heading')} page="launch-page">
      <div className="head">
        <div>
          <h1>{t('launch.heading')}</h1>
          <p>
            <Trans i18nKey="launch.what" components={{ openings: <Link href="/openings" /> }} />
          </p>
          {!launched && <p>{t('launch.needed')}</p>}
        </div>
      </div>
      {trouble && (
        <Notice kind="bad" icon="warn" heading={t('launch.notLoaded')} told="now">
          <p>{trouble}</p>
        </Notice>
      )}
      {launched ? (
        <LinkCard
          key={launched.interview.id}
          launched={launched.interview}
          name={launched.name}
          onAnother={() => setLaunched(undefined)}
        />
      ) : (
        <LaunchCards
          blueprints={blueprints}
          choices={choices}
          onLaunched={(interview, name) => setLaunched({ interview, name })}
        />
      )}
    </RecruiterFrame>
  );
}

interface LaunchCardsProps {
  blueprints: Blueprint[] | undefined;
  choices: RoleChoices | undefined;
  onLaunched: (launched: Launched, name: string) => void;
}

function LaunchCards({ blueprints, choices, onLaunched }: LaunchCardsProps) {
  const launch = useLaunch(blueprints, onLaunched);
  const { current, blueprint, planning, errors, control } = launch;
  const described = Boolean(current.job_description.trim());
  return (
    <>
      <Summary errors={errors} trouble={launch.trouble} plan={planning.plan} ref={launch.summary} />
      <form className="split launch" noValidate onSubmit={launch.submit}>
        <div>
          <WhoCard choices={choices} control={control} errors={errors} />
          <TextsCard control={control} errors={errors} />
          <section className="card" aria-labelledby="interview-h">
            <h2 id="interview-h">{t('launch.interview')}</h2>
            <BlueprintField
              blueprints={blueprints}
              chosen={current.blueprint}
              described={described}
              error={errors.blueprint}
              onChoose={(name) => launch.change('blueprint', name)}
            />
            {blueprint?.missing && (
              <label className="check">
                <input
                  type="checkbox"
                  id="types"
                  checked={launch.types}
                  onChange={(event) => launch.setTypes(event.target.checked)}
                />
                <span>
                  <b>{t('launch.types')}</b>
                </span>
              </label>
            )}
          </section>
          {blueprint && planning.planned !== 'nothing' && (
            <>
              <DocumentsCard blueprint={blueprint} error={errors.documents} />
              <PlanCard
                key={blueprint.name}
                planned={planning.planned}
                planning={planning}
                form={current}
                guide={control('guide')}
                errors={errors}
                onRefused={launch.tell}
              />
            </>
          )}
        </div>
        <aside className="card" aria-labelledby="time-h">
          <h2 id="time-h">{t('launch.time')}</h2>
          <Estimate blueprint={blueprint} described={described} />
          <div className="acts">
            <button className="btn primary" type="submit">
              {launch.isLaunching ? t('launch.launching') : t('launch.now')}
            </button>
          </div>
          <p className="small soft">{t('launch.noMail')}</p>
        </aside>
      </form>
    </>
  );
}

export default LaunchPage;
