import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account, AccountLink, Role } from '../api/contract';
import { accounts, addAccount, changeAccount, linkAccount } from '../api/session';
import { useSession } from '../frame/SignedIn';
import { checkEmail, checkName } from '../sign-in/check';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Field } from '../ui/Field';
import { Loading } from '../ui/Frame';
import { LocalHint } from '../ui/LocalHint';
import { Menu, MenuItem } from '../ui/Menu';
import { Notice } from '../ui/Notice';
import { dayOf, whenOf } from '../ui/time';
import { useFields } from '../ui/useFields';
import { Secret } from './Secret';
import { SettingsFrame } from './SettingsFrame';
import { ALL_ROLES, ROLES, ROLES_DO } from './words';

/** Who may sign in. */
export function AccountsPage() {
  const { data: all, error } = useQuery(accounts);
  const client = useQueryClient();
  const [made, setMade] = useState<AccountLink>();
  const refresh = () => client.invalidateQueries({ queryKey: accounts.queryKey });
  return (
    <SettingsFrame place="accounts" about={t('admin.accountsAbout')}>
      {made && (
        <>
          <LocalHint />
          <Secret
            key={made.link}
            heading={t('admin.linkFor', { name: made.account.name })}
            about={t('admin.linkAbout')}
            label={t('admin.link')}
            value={new URL(made.link, location.origin).href}
            onDone={() => setMade(undefined)}
          />
        </>
      )}
      {error && (
        <Notice kind="bad" icon="warn" heading={t('admin.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {all ? <AccountTable all={all} onChanged={refresh} onLink={setMade} /> : !error && <Loading />}
      <AddForm
        onAdded={(added) => {
          setMade(added);
          refresh();
        }}
      />
    </SettingsFrame>
  );
}

interface AccountTableProps {
  all: readonly Account[];
  onChanged: () => void;
  onLink: (link: AccountLink) => void;
}

function AccountTable({ all, onChanged, onLink }: AccountTableProps) {
  const { account: me } = useSession();
  const [asked, setAsked] = useState<Account>();
  const changing = useMutation({ mutationFn: changeAccount, onSettled: onChanged });
  const linking = useMutation({ mutationFn: linkAccount, onSuccess: onLink });
  const trouble = changing.error ?? linking.error;
  return (
    <>
      {trouble && (
        <Notice kind="bad" icon="warn" heading={t('opening.notDone')} told="now">
          <p>{trouble.message}</p>
        </Notice>
      )}
      <div className="table cards plainer">
        <table>
          <caption className="sr">{t('admin.accounts')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('admin.who')}</th>
              <th scope="col">{t('admin.role')}</th>
              <th scope="col">{t('admin.seen')}</th>
              <th scope="col">
                <span className="sr">{t('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((account) => (
              <tr key={account.id}>
                <th scope="row">
                  {account.name} {account.id === me.id && <span className="tag">{t('you')}</span>}{' '}
                  {account.disabled && <span className="status">{t('admin.disabled')}</span>}
                  <br />
                  <span className="soft small mail">{account.email}</span>
                </th>
                <td data-label={t('admin.role')}>
                  <select
                    aria-label={t('admin.roleOf', { name: account.name })}
                    value={account.role}
                    onChange={({ target }) => changing.mutate({ id: account.id, role: target.value as Role })}
                  >
                    {ALL_ROLES.map((role) => (
                      <option key={role} value={role}>
                        {ROLES[role]}
                      </option>
                    ))}
                  </select>
                </td>
                <td data-label={t('admin.seen')} className="num">
                  {account.last_seen_at ? whenOf(account.last_seen_at) : t('admin.never')}
                </td>
                <td className="r">
                  <Menu button={t('action.dots')} label={t('action.more', { name: account.name })}>
                    <MenuItem onDo={() => linking.mutate(account.id)}>{t('admin.newLink')}</MenuItem>
                    {account.disabled ? (
                      <MenuItem onDo={() => changing.mutate({ id: account.id, disabled: false })}>
                        {t('admin.enable')}
                      </MenuItem>
                    ) : (
                      <MenuItem danger onDo={() => setAsked(account)}>
                        {t('admin.disable')}
                      </MenuItem>
                    )}
                  </Menu>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked && (
        <Dialog
          heading={t('admin.disableAsked', { name: asked.name })}
          onSafe={() => setAsked(undefined)}
          buttons={
            <>
              <button type="button" className="btn primary" data-safe onClick={() => setAsked(undefined)}>
                {t('admin.leave')}
              </button>
              <button
                type="button"
                className="btn danger"
                onClick={() => {
                  changing.mutate({ id: asked.id, disabled: true });
                  setAsked(undefined);
                }}
              >
                {t('admin.disable')}
              </button>
            </>
          }
        >
          <p>{t('admin.disableAbout', { day: dayOf(asked.created_at) })}</p>
        </Dialog>
      )}
    </>
  );
}

function AddForm({ onAdded }: { onAdded: (added: AccountLink) => void }) {
  const { form, errors, mends, trouble, summary, isSending, submit, control, reset } = useFields({
    first: { name: '', email: '', role: 'recruiter' },
    labels: { name: t('admin.name'), email: t('signIn.email'), role: t('admin.role') },
    check: (field, value) => {
      if (field === 'name') return checkName(value);
      return field === 'email' ? checkEmail(value) : undefined;
    },
    send: async (form) => {
      onAdded(await addAccount({ name: form.name.trim(), email: form.email.trim(), role: form.role as Role }));
      reset();
    },
  });
  const role = control('role');
  return (
    <section className="card" aria-labelledby="add-h">
      <h2 id="add-h">{t('admin.add')}</h2>
      <ErrorSummary mends={mends} heading={t('admin.notAdded')} trouble={trouble} ref={summary} />
      <form className="stack" noValidate onSubmit={submit}>
        <div className="pair">
          <Field id="name" label={t('admin.name')} error={errors.name}>
            {(props) => <input {...props} {...control('name')} autoComplete="off" />}
          </Field>
          <Field id="email" label={t('signIn.email')} error={errors.email}>
            {(props) => <input {...props} {...control('email')} type="email" autoComplete="off" />}
          </Field>
        </div>
        <fieldset className="field">
          <legend className="legend">{t('admin.role')}</legend>
          <div className="choices">
            {ALL_ROLES.map((known) => (
              <label className="choice" key={known}>
                <input {...role} type="radio" value={known} checked={form.role === known} />
                <span>
                  <b>{ROLES[known]}</b>
                  <br />
                  <span className="hint">{ROLES_DO[known]}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="row">
          <button type="submit" className="btn primary">
            {isSending ? t('add.adding') : t('admin.addIt')}
          </button>
          <span className="small soft">{t('admin.noMail')}</span>
        </div>
      </form>
    </section>
  );
}

export default AccountsPage;
