import type { Delivery, WebhookEvent } from '../api/webhooks';
import { t } from '../texts';

/** What a webhook can be told of, in the order of an interview. */
export const EVENTS: Record<WebhookEvent, string> = {
  'interview.invited': t('webhooks.invited'),
  'interview.started': t('webhooks.started'),
  'interview.finished': t('webhooks.finished'),
  'interview.failed': t('webhooks.failed'),
  'interview.expired': t('webhooks.expired'),
  'interview.cancelled': t('webhooks.cancelled'),
  'report.ready': t('webhooks.reportReady'),
  'decision.made': t('webhooks.decisionMade'),
};

export const ALL_EVENTS = Object.keys(EVENTS) as WebhookEvent[];

/** Word and shape of how far a message is. */
export const DELIVERY_STATES: Record<Delivery['state'], readonly [string, string]> = {
  waiting: [t('webhooks.waiting'), 'status pause'],
  delivered: [t('webhooks.delivered'), 'status ok'],
  failed: [t('webhooks.givenUp'), 'status warn'],
};

/** Which events a form has chosen: their names with a space between. */
export const eventsIn = (text: string) => ALL_EVENTS.filter((event) => text.split(' ').includes(event));

/** The names with one more, or one less. */
export function toggled(text: string, event: WebhookEvent): string {
  const chosen = eventsIn(text);
  const next = chosen.includes(event) ? chosen.filter((one) => one !== event) : [...chosen, event];
  return next.join(' ');
}

/** What is wrong with the address of a webhook, as far as a browser knows. */
export function checkAddress(text: string): string | undefined {
  if (!text.trim()) return t('webhooks.noAddress');
  return /^https?:\/\/[^\s/]/i.test(text.trim()) ? undefined : t('webhooks.badAddress');
}
