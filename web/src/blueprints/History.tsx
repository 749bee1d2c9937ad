import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BlueprintVersion, goBack, versionOf } from '../api/blueprints';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { FieldError } from '../ui/Field';
import { whenOf } from '../ui/time';
import { versionName } from './BlueprintsPage';
import { Differences } from './Differences';

/** The versions of a blueprint, with what differs and a way back. */
export function History({ name, versions }: { name: string; versions: readonly BlueprintVersion[] }) {
  const mayGo = useMay('recruiter');
  const [compared, setCompared] = useState<readonly [number, number]>();
  const [back, setBack] = useState<number>();
  const newest = versions[0]?.number ?? 0;
  /** An older one beside the newest; the newest beside the one before it. */
  const pairOf = (index: number): readonly [number, number] =>
    index === 0 ? [versions[1]?.number ?? newest, newest] : [versions[index]?.number ?? 0, newest];
  return (
    <section className="card" aria-labelledby="history-h">
      <h2 id="history-h">{t('blueprints.history')}</h2>
      <div className="table cards plainer">
        <table>
          <caption className="sr">{t('blueprints.history')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('blueprints.version')}</th>
              <th scope="col">{t('blueprints.changed')}</th>
              <th scope="col">{t('blueprints.note')}</th>
              <th scope="col">
                <span className="sr">{t('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ number, who, made_at, note }, index) => (
              <tr key={number}>
                <th scope="row" className="num">
                  {versionName(number)}
                </th>
                <td data-label={t('blueprints.changed')}>
                  {made_at ? t('blueprints.byAt', { who, when: whenOf(made_at) }) : t('blueprints.dash')}
                </td>
                <td data-label={t('blueprints.note')}>{note || t('blueprints.dash')}</td>
                <td className="r">
                  {versions.length > 1 && (
                    <button type="button" className="btn plain dense" onClick={() => setCompared(pairOf(index))}>
                      {t('blueprints.differs')} <span className="sr">{versionName(number)}</span>
                    </button>
                  )}
                  {mayGo && index > 0 && (
                    <button type="button" className="btn plain dense" onClick={() => setBack(number)}>
                      {t('blueprints.back')} <span className="sr">{versionName(number)}</span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {compared && <CompareDialog name={name} pair={compared} onClose={() => setCompared(undefined)} />}
      {back !== undefined && (
        <BackDialog name={name} number={back} newest={newest} onClose={() => setBack(undefined)} />
      )}
    </section>
  );
}

interface CompareProps {
  name: string;
  pair: readonly [number, number];
  onClose: () => void;
}

function CompareDialog({ name, pair: [older, newer], onClose }: CompareProps) {
  const before = useQuery(versionOf(name, older));
  const after = useQuery(versionOf(name, newer));
  const error = before.error ?? after.error;
  return (
    <Dialog
      heading={t('blueprints.between', { older: versionName(older), newer: versionName(newer) })}
      onSafe={onClose}
      buttons={
        <button type="button" className="btn primary" data-safe onClick={onClose}>
          {t('blueprints.close')}
        </button>
      }
    >
      {error && <FieldError id="compare-e" message={error.message} told />}
      {before.data && after.data && <Differences older={before.data.files} newer={after.data.files} />}
    </Dialog>
  );
}

interface BackProps {
  name: string;
  number: number;
  newest: number;
  onClose: () => void;
}

function BackDialog({ name, number, newest, onClose }: BackProps) {
  const client = useQueryClient();
  const going = useMutation({
    mutationFn: () =>
      goBack(name, { based_on: newest, number, note: t('blueprints.backNote', { version: versionName(number) }) }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['blueprints'] }),
  });
  return (
    <Dialog
      heading={t('blueprints.backTo', { version: versionName(number) })}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn" data-safe onClick={onClose}>
            {t('blueprints.cancel')}
          </button>
          <button type="button" className="btn primary" onClick={() => !going.isPending && going.mutate()}>
            {t('blueprints.back')}
          </button>
        </>
      }
    >
      <p>{t('blueprints.backAbout')}</p>
      {going.error && <FieldError id="back-e" message={going.error.message} told />}
    </Dialog>
  );
}
