import { t } from '../texts';
import { Failure } from './client';
import { confirmed } from './confirm';
import { asProblem } from './problem';
import { tellStatus } from './signedOut';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An address of the API, with its parts encoded. */
export function at(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((address, text, index) => address + encodeURIComponent(parts[index - 1] ?? '') + text);
}

/** The part of an address behind the question mark; what is not there is left out. */
export function query(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Asks the server; whatever is no answer is thrown as a `Failure`. */
export async function request<T>(method: Method, address: string, body?: unknown): Promise<T> {
  const response = await fetch(address, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => {
    throw new Failure(0, { message: t('failed.unreachable'), fields: [] });
  });
  const data: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return data as T;
  // They show in place who they are; then it goes on as if nothing had been.
  if (response.status === CONFIRM && (await confirmed())) return request(method, address, body);
  // A wrong password is no sign that somebody was signed out.
  if (address !== SESSION) tellStatus(response.status);
  throw new Failure(response.status, asProblem(data, response.status));
}

/** The server wants to know again who it is, before it does this. */
const CONFIRM = 428;
/** Where somebody signs in. */
export const SESSION = '/api/session';
