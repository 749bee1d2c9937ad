import type { Blueprint } from '../api/client';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { FieldError } from '../ui/Field';
import { LABELS } from './form';

interface BlueprintFieldProps {
  blueprints: Blueprint[] | undefined;
  chosen: string;
  /** Whether there is a job description. */
  described: boolean;
  error: string | undefined;
  onChoose: (name: string) => void;
}

/** The choice of the flow. */
export function BlueprintField({ blueprints, chosen, described, error, onChoose }: BlueprintFieldProps) {
  return (
    <fieldset className="field" id="blueprint" aria-describedby={error ? 'blueprint-e' : undefined} tabIndex={-1}>
      <legend className="legend">{LABELS.blueprint}</legend>
      <div className="choices" aria-busy={blueprints === undefined}>
        {blueprints?.map((blueprint) => (
          <label className="choice" key={blueprint.name}>
            <input
              type="radio"
              name="blueprint"
              value={blueprint.name}
              checked={blueprint.name === chosen}
              onChange={() => onChoose(blueprint.name)}
            />
            <span>
              <b>{blueprint.title}</b>
              <br />
              <span className="hint">{planOf(blueprint, described).stages.join(', ')}</span>
              {blueprint.missing && (
                <span className="status warn">
                  {ofServer(blueprint.missing)} {t('launch.textAlone')}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id="blueprint-e" message={error} />}
    </fieldset>
  );
}

/** Some stages come only when there is a job description to ask about. */
function planOf(blueprint: Blueprint, described: boolean) {
  return described ? blueprint.with_job_description : blueprint.without_job_description;
}

/** How long it takes at most, and its stages. */
export function Estimate({ blueprint, described }: { blueprint: Blueprint | undefined; described: boolean }) {
  if (!blueprint) return <p className="soft">{t('launch.chooseBlueprint')}</p>;
  const plan = planOf(blueprint, described);
  return (
    <>
      <p className="big num">{t('launch.atMost', { minutes: Math.ceil(plan.length_limit_s / 60) })}</p>
      <p className="small soft">{t('launch.stages')}</p>
      <ol className="minutes">
        {plan.stages.map((stage) => (
          <li key={stage}>{stage}</li>
        ))}
      </ol>
    </>
  );
}
