import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addWebhook,
  changeWebhook,
  deliveriesOf,
  type NewWebhook,
  PARTNER,
  removeWebhook,
  testWebhook,
  type Webhook,
  webhooks,
} from '../api/webhooks';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Field, FieldError } from '../ui/Field';
import { Loading } from '../ui/Frame';
import { Menu, MenuItem } from '../ui/Menu';
import { Notice } from '../ui/Notice';
import { useFields } from '../ui/useFields';
import { DeliveryLog } from './DeliveryLog';
import { ALL_EVENTS, checkAddress, EVENTS, eventsIn, toggled } from './events';
import { Secret } from './Secret';
import { SettingsFrame } from './SettingsFrame';

/** Which other programs are told of what happens, and what became of each message. */
export function WebhooksPage() {
  const { data: all, error } = useQuery(webhooks);
  const { data: ordered } = useQuery(deliveriesOf(PARTNER));
  const client = useQueryClient();
  const [made, setMade] = useState<NewWebhook>();
  const [opened, setOpened] = useState<string>();
  const refresh = () => client.invalidateQueries({ queryKey: webhooks.queryKey });
  const shown = all?.find(({ id }) => id === opened);
  return (
    <SettingsFrame place="webhooks" about={t('webhooks.about')}>
      {made && (
        <Secret
          key={made.webhook.id}
          heading={t('webhooks.added')}
          about={t('webhooks.secretOnce')}
          label={t('webhooks.secret')}
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
      {all?.length === 0 && <p className="soft">{t('webhooks.none')}</p>}
      {all && all.length > 0 && <WebhookTable all={all} onChanged={refresh} onLog={setOpened} />}
      {shown && <DeliveryLog key={shown.id} webhook={shown.id} heading={t('webhooks.logOf', { url: shown.url })} />}
      {ordered && ordered.length > 0 && <DeliveryLog webhook={PARTNER} heading={t('webhooks.partnerLog')} />}
      <AddForm
        onAdded={(added) => {
          setMade(added);
          refresh();
        }}
      />
    </SettingsFrame>
  );
}

interface WebhookTableProps {
  all: readonly Webhook[];
  onChanged: () => void;
  onLog: (id: string) => void;
}

function WebhookTable({ all, onChanged, onLog }: WebhookTableProps) {
  const [asked, setAsked] = useState<Webhook>();
  const changing = useMutation({ mutationFn: changeWebhook, onSettled: onChanged });
  const testing = useMutation({ mutationFn: testWebhook, onSuccess: (_, id) => onLog(id) });
  const removing = useMutation({
    mutationFn: removeWebhook,
    onSuccess: () => setAsked(undefined),
    onSettled: onChanged,
  });
  const trouble = changing.error ?? testing.error;
  return (
    <>
      {trouble && (
        <Notice kind="bad" icon="warn" heading={t('opening.notDone')} told="now">
          <p>{trouble.message}</p>
        </Notice>
      )}
      <div className="table cards plainer">
        <table>
          <caption className="sr">{t('webhooks.webhooks')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('webhooks.address')}</th>
              <th scope="col">{t('webhooks.events')}</th>
              <th scope="col">
                <span className="sr">{t('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ id, url, events, disabled }) => (
              <tr key={id}>
                <th scope="row">
                  <span className="mail">{url}</span>{' '}
                  {disabled && <span className="status">{t('admin.disabled')}</span>}
                </th>
                <td data-label={t('webhooks.events')}>{events.map((event) => EVENTS[event]).join(' · ')}</td>
                <td className="r">
                  <Menu button={t('action.dots')} label={t('action.more', { name: url })}>
                    <MenuItem onDo={() => onLog(id)}>{t('webhooks.log')}</MenuItem>
                    {!disabled && <MenuItem onDo={() => testing.mutate(id)}>{t('webhooks.test')}</MenuItem>}
                    <MenuItem onDo={() => changing.mutate({ id, disabled: !disabled })}>
                      {disabled ? t('admin.enable') : t('admin.disable')}
                    </MenuItem>
                    <MenuItem danger onDo={() => setAsked({ id, url, events, disabled, created_at: 0 })}>
                      {t('plan.remove')}
                    </MenuItem>
                  </Menu>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked && (
        <Dialog
          heading={t('webhooks.removeAsked')}
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
          <p>{t('webhooks.removeAbout', { url: asked.url })}</p>
          {removing.error && <FieldError id="remove-e" message={removing.error.message} told />}
        </Dialog>
      )}
    </>
  );
}

function AddForm({ onAdded }: { onAdded: (added: NewWebhook) => void }) {
  const { form, errors, mends, trouble, summary, isSending, submit, control, reset } = useFields({
    first: { url: '', events: 'interview.finished' },
    labels: { url: t('webhooks.address'), events: t('webhooks.events') },
    check: (field, value) => {
      if (field === 'url') return checkAddress(value);
      return eventsIn(value).length === 0 ? t('webhooks.noEvent') : undefined;
    },
    send: async ({ url, events }) => {
      onAdded(await addWebhook({ url: url.trim(), events: eventsIn(events) }));
      reset();
    },
  });
  const events = control('events');
  const chosen = eventsIn(form.events);
  return (
    <section className="card" aria-labelledby="add-h">
      <h2 id="add-h">{t('webhooks.add')}</h2>
      <ErrorSummary mends={mends} heading={t('webhooks.notAdded')} trouble={trouble} ref={summary} />
      <form className="stack" noValidate onSubmit={submit}>
        <Field id="url" label={t('webhooks.address')} hint={t('webhooks.addressHint')} error={errors.url}>
          {(props) => <input {...props} {...control('url')} type="url" autoComplete="off" />}
        </Field>
        <fieldset className="field" id="events" tabIndex={-1}>
          <legend className="legend">{t('webhooks.events')}</legend>
          <div className="choices">
            {ALL_EVENTS.map((event) => (
              <label className="choice" key={event}>
                <input
                  type="checkbox"
                  name={event}
                  checked={chosen.includes(event)}
                  onChange={() => events.onChange({ target: { value: toggled(form.events, event) } })}
                />
                <span>
                  <b>{EVENTS[event]}</b>
                  <br />
                  <span className="hint">{event}</span>
                </span>
              </label>
            ))}
          </div>
          {errors.events && <FieldError id="events-e" message={errors.events} />}
        </fieldset>
        <div className="row">
          <button type="submit" className="btn primary">
            {isSending ? t('add.adding') : t('webhooks.addIt')}
          </button>
          <span className="small soft">{t('webhooks.carries')}</span>
        </div>
      </form>
    </section>
  );
}

export default WebhooksPage;
