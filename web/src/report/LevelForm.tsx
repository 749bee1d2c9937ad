import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CriterionReport } from '../api/contract';
import { giveLevel, reportOf } from '../api/interviews';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { LEVELS } from './levels';

/** A person gives a criterion a level: it counts in place of a model's, and where there is none. */
export function LevelForm({ id, criterion: { name, level, given_by } }: { id: string; criterion: CriterionReport }) {
  const client = useQueryClient();
  const mayAct = useMay('recruiter');
  const giving = useMutation({
    mutationFn: (level: number | null) => giveLevel(id, name, level),
    onSuccess: (report) => client.setQueryData(reportOf(id).queryKey, report),
  });
  if (!mayAct) return given_by && <p className="small soft">{t('level.givenBy', { name: given_by })}</p>;
  const give = (level: number | null) => !giving.isPending && giving.mutate(level);
  return (
    <div className="stack">
      <fieldset className="seg">
        <legend className="small soft">{t('level.yours')}</legend>
        {LEVELS.map((step) => (
          <label key={step}>
            <input
              type="radio"
              name={`level-${name}`}
              checked={Boolean(given_by) && level === step}
              onChange={() => give(step)}
            />{' '}
            {step}
          </label>
        ))}
      </fieldset>
      {given_by && (
        <p className="small soft">
          {t('level.givenBy', { name: given_by })}{' '}
          <button type="button" className="btn plain dense" onClick={() => give(null)}>
            {t('level.takeBack')}
          </button>
        </p>
      )}
      {giving.error && (
        <p className="error" role="alert">
          {giving.error.message}
        </p>
      )}
    </div>
  );
}
