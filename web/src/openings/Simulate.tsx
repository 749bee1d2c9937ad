import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { Manner } from '../api/contract';
import { simulateOpening } from '../api/openings';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { FieldError } from '../ui/Field';
import { MANNERS } from './words';

const SPEEDS = [
  [1, t('simulated.asPeople')],
  [5, t('simulated.fast')],
  [20, t('simulated.fastest')],
] as const;

/** U03: an interview of the opening with a simulated candidate, for its recruiter to watch. */
export function Simulate({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" className="btn" title={t('simulated.hint')} onClick={() => setAsked(true)}>
        {t('simulated.run')}
      </button>
      {isAsked && <SimulateDialog id={id} onClose={() => setAsked(false)} />}
    </>
  );
}

function SimulateDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const field = useId();
  const [, go] = useLocation();
  const [manner, setManner] = useState<Manner>('cooperative');
  const [speed, setSpeed] = useState<number>(5);
  const beginning = useMutation({
    mutationFn: () => simulateOpening(id, manner, speed),
    onSuccess: (begun) => go(`/interviews/${begun.id}`),
  });
  return (
    <Dialog
      heading={t('simulated.run')}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn" data-safe onClick={onClose}>
            {t('listen.notNow')}
          </button>
          <button type="button" className="btn primary" onClick={() => !beginning.isPending && beginning.mutate()}>
            {beginning.isPending ? t('action.doing') : t('simulated.begin')}
          </button>
        </>
      }
    >
      <p>{t('simulated.about')}</p>
      <fieldset className="field">
        <legend className="legend">{t('simulated.manner')}</legend>
        <div className="choices one">
          {Object.entries(MANNERS).map(([known, words]) => (
            <label className="choice" key={known}>
              <input
                type="radio"
                name={`${field}-manner`}
                checked={manner === known}
                onChange={() => setManner(known as Manner)}
              />{' '}
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className="field">
        <legend className="legend">{t('simulated.speed')}</legend>
        <div className="seg">
          {SPEEDS.map(([known, words]) => (
            <label key={known}>
              <input type="radio" name={`${field}-speed`} checked={speed === known} onChange={() => setSpeed(known)} />{' '}
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      {beginning.error && <FieldError id={`${field}-e`} message={beginning.error.message} told />}
    </Dialog>
  );
}
