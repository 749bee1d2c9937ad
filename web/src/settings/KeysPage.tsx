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
    <SettingsFrame place="keys" about={t('admin.keysAbout')}>
      {made && (
        <Secret
          key={made.key.id}
          heading={t('admin.keyMade', { name: made.key.name })}
          about={t('admin.keyOnce')}
          label={t('admin.key')}
          value={made.secret}
          onDone={() => setMade(undefined)}
        />
      )}
      {error && (
        <Notice kind="bad" icon="warn" heading={t('admin.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!all && !error && <Loading />}
      {all?.length === 0 && <p className="soft">{t('admin.noKeys')}</p>}
      {all && all.length > 0 && <KeyTable all={all} onRemoved={refresh} />}
      <MakeForm
        onMade={(key) => {
          setMade(key);
          refresh();
        }}
      />
      <HowToAsk />
    </SettingsFrame>
  );
}

const DOCS = '/api/docs';
const DOCUMENT = '/api/openapi.json';

/** Where the API is described, and a first request. */
function HowToAsk() {
  const request = `curl -H "Authorization: Bearer $VIVAVOCE_KEY" ${location.origin}/api/openings`;
  return (
    <section className="card stack" aria-labelledby="how-h">
      <h2 id="how-h">{t('admin.apiHow')}</h2>
      <p>
        {t('admin.apiDocs')} <a href={DOCS}>{DOCS}</a>
      </p>
      <p>
        {t('admin.apiDocument')} <a href={DOCUMENT}>{DOCUMENT}</a>
      </p>
      <p>{t('admin.apiExample')}</p>
      <p>
        <code className="mail">{request}</code>
      </p>
    </section>
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
          <caption className="sr">{t('admin.keys')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('admin.keyFor')}</th>
              <th scope="col">{t('admin.role')}</th>
              <th scope="col">{t('admin.made')}</th>
              <th scope="col">{t('admin.used')}</th>
              <th scope="col">
                <span className="sr">{t('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((key) => (
              <tr key={key.id}>
                <th scope="row">{key.name}</th>
                <td data-label={t('admin.role')}>{ROLES[key.role]}</td>
                <td data-label={t('admin.made')} className="num">
                  {dayOf(key.created_at)}
                </td>
                <td data-label={t('admin.used')} className="num">
                  {key.last_used_at ? whenOf(key.last_used_at) : t('admin.never')}
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
          heading={t('admin.removeAsked', { name: asked.name })}
          onSafe={() => setAsked(undefined)}
          buttons={
            <>
              <button type="button" className="btn primary" data-safe onClick={() => setAsked(undefined)}>
                {t('admin.leave')}
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
          <p>{t('admin.removeAbout')}</p>
          {removing.error && <FieldError id="remove-e" message={removing.error.message} told />}
        </Dialog>
      )}
    </>
  );
}

function MakeForm({ onMade }: { onMade: (key: NewKey) => void }) {
  const { errors, mends, trouble, summary, isSending, submit, control, reset } = useFields({
    first: { name: '', role: 'viewer' },
    labels: { name: t('admin.keyFor'), role: t('admin.role') },
    check: (field, value) => (field === 'name' ? checkName(value) : undefined),
    send: async (form) => {
      onMade(await makeKey({ name: form.name.trim(), role: form.role as Role }));
      reset();
    },
  });
  return (
    <section className="card" aria-labelledby="make-h">
      <h2 id="make-h">{t('admin.makeKey')}</h2>
      <ErrorSummary mends={mends} heading={t('admin.notMade')} trouble={trouble} ref={summary} />
      <form className="stack" noValidate onSubmit={submit}>
        <div className="pair">
          <Field id="name" label={t('admin.keyFor')} hint={t('admin.keyForHint')} error={errors.name}>
            {(props) => <input {...props} {...control('name')} autoComplete="off" />}
          </Field>
          <Field id="role" label={t('admin.role')} hint={t('admin.keyRoleHint')} error={errors.role}>
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
            {isSending ? t('admin.making') : t('admin.makeIt')}
          </button>
        </div>
      </form>
    </section>
  );
}

export default KeysPage;
