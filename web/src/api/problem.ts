import { t } from '../texts';
import { ofServer } from '../texts/server';
import type { components } from './schema';

/** Why a request was not done, in the language of the page. */
export type Problem = components['schemas']['Problem'];

/** The body of a refusal; what is none is a fault of the server. */
export function asProblem(body: unknown, status: number): Problem {
  if (typeof body !== 'object' || body === null || !('message' in body))
    return { message: t('failed.server', { status }), fields: [] };
  const { message, fields = [] } = body as Partial<Problem>;
  return {
    message: ofServer(String(message)),
    fields: fields.map((field) => ({ ...field, message: ofServer(field.message) })),
  };
}
