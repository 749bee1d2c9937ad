import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Verdict } from '../api/contract';
import { decide, decisionOf } from '../api/interviews';
import { useMay } from '../frame/SignedIn';
import { VERDICTS } from '../interviews/states';
import { t } from '../texts';
import { FieldError } from '../ui/Field';
import { whenOf } from '../ui/time';

const ALL: readonly Verdict[] = ['advance', 'hold', 'reject'];
const REASON_MAX = 2000;

/** What a person has decided, beside what the machine says; each decision stays in the history. */
export function DecisionForm({ id }: { id: string }) {
  const client = useQueryClient();
  const mayAct = useMay('recruiter');
  const { data, error } = useQuery(decisionOf(id));
  const decision = data?.current;
  const [chosen, setChosen] = useState<Verdict>();
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const verdict = chosen ?? decision?.verdict;
  const reason = typed ?? decision?.reason ?? '';
  const saving = useMutation({
    mutationFn: (form: { verdict: Verdict; reason: string }) => decide(id, form),
    onSuccess: (decision) => {
      client.setQueryData(decisionOf(id).queryKey, decision);
      client.invalidateQueries({ queryKey: ['interview', id] });
      setChosen(undefined);
      setTyped(undefined);
    },
  });

  function save(event: FormEvent) {
    event.preventDefault();
    if (saving.isPending) return;
    const chars = [...reason.trim()].length;
    const found = wrongIn(verdict, chars);
    setWrong(found);
    if (verdict && !found) saving.mutate({ verdict, reason: reason.trim() });
  }

  const history = data?.history ?? [];
  const trouble = wrong ?? saving.error?.message;
  return (
    <form className="card" noValidate onSubmit={save}>
      <h2 id="decision-h">{t('list.decision')}</h2>
      {error && <p className="status warn">{error.message}</p>}
      {mayAct ? (
        <>
          <fieldset aria-labelledby="decision-h" className="seg">
            {ALL.map((known) => (
              <label key={known}>
                <input
                  type="radio"
                  name="verdict"
                  checked={verdict === known}
                  onChange={() => {
                    setChosen(known);
                    setWrong(undefined);
                  }}
                />{' '}
                {VERDICTS[known]}
              </label>
            ))}
          </fieldset>
          <div className="field">
            <label htmlFor="reason">
              {t('decision.why')} <span className="opt">{t('decision.forTeam')}</span>
            </label>
            <textarea
              id="reason"
              rows={2}
              value={reason}
              aria-describedby={wrong ? 'decision-e' : undefined}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
          {trouble && <FieldError id="decision-e" message={trouble} told />}
          <div className="row">
            <button type="submit" className="btn primary dense">
              {saving.isPending ? t('editor.saving') : t('decision.save')}
            </button>
            <span className="small soft" role="status">
              {decision ? lineOf(decision) : t('decision.nobody')}
            </span>
          </div>
        </>
      ) : (
        <p>
          {decision ? lineOf(decision) : t('decision.nobody')} {decision?.reason}
        </p>
      )}
      {history.length > 1 && (
        <details>
          <summary>{t('decision.history', { count: history.length })}</summary>
          <ol className="history">
            {history.map((entry, index) => (
              <li key={`${index}-${entry.at}`}>
                <p className="small">{lineOf(entry)}</p>
                {entry.reason && <p className="small soft">{entry.reason}</p>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </form>
  );
}

function wrongIn(verdict: Verdict | undefined, chars: number): string | undefined {
  if (!verdict) return t('decision.none');
  if (verdict === 'reject' && chars === 0) return t('decision.noReason');
  return chars > REASON_MAX ? t('mend.longLine', { chars, most: REASON_MAX }) : undefined;
}

function lineOf({ verdict, by, at }: { verdict: Verdict; by: string; at: number }): string {
  return [VERDICTS[verdict], by, whenOf(at)].join(' · ');
}
