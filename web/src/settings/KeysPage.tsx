import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, NewKey, Role } from '../api/contract';
import { keys, makeKey, removeKey } from '../api/session';
import { checkName } from '../sign-in/check';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Field, FieldError } from '../ui/Field';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { dayOf, whenOf } from '../ui/time';
import { useFields } from '../ui/useFields';
import { Secret } from './Secret';
import { SettingsFrame } from './SettingsFrame';
import { ALL_ROLES, ROLES } from './words';

/** With what programs use the API. */
export function KeysPage() {
  const { data: all, error } = useQuery(keys);
  const client = useQueryClient();
  const [made, setMade] = useState<NewKey>();
  const refresh = () => client.invalidateQueries({ queryKey: keys.queryKey });
  return (
    <SettingsFrame place="keys" about={t('settings.keysAbout')}>
      {made && (
        <Secret
          key={made.key.id}
          heading={t('settings.keyMade', { name: made.key.name })}
          about={t('settings.keyOnce')}
          label={t('settings.key')}
          value={made.secret}
          onDone={() => setMade(undefined)}
        />
      )}
      {error && (
        <Notice kind="bad" icon="warn" heading={t('settings.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!all && !error && <Loading />}
      {all?.length === 0 && <p className="soft">{t('settings.noKeys')}</p>}
      {all && all.length > 0 && <KeyTable all={all} onRemoved={refresh} />}
      <MakeForm
        onMade={(key) => {
          setMade(key);
          refresh();
        }}
      />
    </SettingsFrame>
  );
}

function KeyTable({ all, onRemoved }: { all: readonly ApiKey[]; onRemoved: () => void }) {
  const [asked, setAsked] = useState<ApiKey>();
  const removing = useMutation({
    mutationFn: removeKey,
    onSuccess: () => setAsked(undefined),
    onSettled: onRemoved,
  });
  return (
    <>
      <div className="table cards plainer">
        <table>
          <caption className="sr">{t('settings.keys')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('settings.keyFor')}</th>
              <th scope="col">{t('settings.role')}</th>
              <th scope="col">{t('settings.made')}</th>
              <th scope="col">{t('settings.used')}</th>
              <th scope="col">
                <span className="sr">{t('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((key) => (
              <tr key={key.id}>
                <th scope="row">{key.name}</th>
                <td data-label={t('settings.role')}>{ROLES[key.role]}</td>
                <td data-label={t('settings.made')} className="num">
                  {dayOf(key.created_at)}
                </td>
                <td data-label={t('settings.used')} className="num">
                  {key.last_used_at ? whenOf(key.last_used_at) : t('settings.never')}
                </td>
                <td className="r">
                  <button type="button" className="btn plain dense" onClick={() => setAsked(key)}>
                    {t('plan.remove')} <span className="sr">{key.name}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked && (
        <Dialog
          heading={t('settings.removeAsked', { name: asked.name })}
          onSafe={() => setAsked(undefined)}
          buttons={
            <>
              <button type="button" className="btn primary" data-safe onClick={() => setAsked(undefined)}>
                {t('settings.leave')}
              </button>
              <button
                type="button"
                className="btn danger"
                onClick={() => !removing.isPending && removing.mutate(asked.id)}
              >
                {t('plan.remove')}
              </button>
            </>
          }
        >
          <p>{t('settings.removeAbout')}</p>
          {removing.error && <FieldError id="remove-e" message={removing.error.message} told />}
        </Dialog>
      )}
    </>
  );
}

function MakeForm({ onMade }: { onMade: (key: NewKey) => void }) {
  const { errors, mends, trouble, summary, isSending, submit, control, reset } = useFields({
    first: { name: '', role: 'viewer' },
    labels: { name: t('settings.keyFor'), role: t('settings.role') },
    check: (field, value) => (field === 'name' ? checkName(value) : undefined),
    send: async (form) => {
      onMade(await makeKey({ name: form.name.trim(), role: form.role as Role }));
      reset();
    },
  });
  return (
    <section className="card" aria-labelledby="make-h">
      <h2 id="make-h">{t('settings.makeKey')}</h2>
      <ErrorSummary mends={mends} heading={t('settings.notMade')} trouble={trouble} ref={summary} />
      <form className="stack" noValidate onSubmit={submit}>
        <div className="pair">
          <Field id="name" label={t('settings.keyFor')} hint={t('settings.keyForHint')} error={errors.name}>
            {(props) => <input {...props} {...control('name')} autoComplete="off" />}
          </Field>
          <Field id="role" label={t('settings.role')} hint={t('settings.keyRoleHint')} error={errors.role}>
            {(props) => (
              <select {...props} {...control('role')}>
                {ALL_ROLES.map((role) => (
                  <option key={role} value={role}>
                    {ROLES[role]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div className="row">
          <button type="submit" className="btn primary">
            {isSending ? t('settings.making') : t('settings.makeIt')}
          </button>
        </div>
      </form>
    </section>
  );
}

export default KeysPage;
