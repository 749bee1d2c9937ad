import { queryOptions } from '@tanstack/react-query';
import { at, request } from './request';
import type { components } from './schema';

export type Webhook = components['schemas']['Webhook'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryTry = components['schemas']['DeliveryTry'];

/** In place of a webhook: messages to applicant tracking systems that have ordered interviews. */
export const PARTNER = 'partner';

/** All webhooks, the oldest first. */
export const webhooks = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => request<Webhook[]>('GET', '/api/webhooks'),
});
export const addWebhook = (form: { url: string; events: WebhookEvent[] }) =>
  request<NewWebhook>('POST', '/api/webhooks', form);
export const changeWebhook = ({ id, ...change }: { id: string; disabled?: boolean }) =>
  request<Webhook>('PATCH', at`/api/webhooks/${id}`, change);
export const removeWebhook = (id: string) => request<void>('DELETE', at`/api/webhooks/${id}`);
export const testWebhook = (id: string) => request<void>('POST', at`/api/webhooks/${id}/test`);

const LOG_ASKS_MS = 3000;

/** The last messages to a webhook, the newest first; asked again while its log is open. */
export const deliveriesOf = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', id],
    queryFn: () => request<Delivery[]>('GET', at`/api/webhooks/${id}/deliveries`),
    refetchInterval: LOG_ASKS_MS,
  });
export const sendAgain = ({ webhook, id }: { webhook: string; id: string }) =>
  request<void>('POST', at`/api/webhooks/${webhook}/deliveries/${id}/again`);
