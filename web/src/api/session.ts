import { queryOptions } from '@tanstack/react-query';
import type { Account, AccountLink, ApiKey, AuditRow, NewKey, Role, SessionView } from './contract';
import { at, query, request, SESSION } from './request';

/** Who is signed in; kept as long as the page is. */
export const session = queryOptions({
  queryKey: ['session'],
  queryFn: () => request<SessionView>('GET', SESSION),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export const setUp = (form: { name: string; email: string; password: string; code: string }) =>
  request<SessionView>('POST', '/api/setup', form);
export const signIn = (form: { email: string; password: string }) => request<SessionView>('POST', SESSION, form);
/** Where an account from elsewhere signs in. */
export const START = '/api/oidc/start';
export const signOut = () => request<void>('DELETE', SESSION);
export const welcome = (form: { token: string; password: string }) =>
  request<SessionView>('POST', '/api/welcome', form);
export const changePassword = (form: { current: string; new: string }) =>
  request<unknown>('POST', '/api/password', form);

/** All accounts, the oldest first. */
export const accounts = queryOptions({
  queryKey: ['accounts'],
  queryFn: () => request<Account[]>('GET', '/api/accounts'),
});
export const addAccount = (form: { name: string; email: string; role: Role }) =>
  request<AccountLink>('POST', '/api/accounts', form);
export const changeAccount = ({ id, ...change }: { id: string; role?: Role; disabled?: boolean }) =>
  request<Account>('PATCH', at`/api/accounts/${id}`, change);
export const linkAccount = (id: string) => request<AccountLink>('POST', at`/api/accounts/${id}/link`);

/** All API keys, the oldest first. */
export const keys = queryOptions({ queryKey: ['keys'], queryFn: () => request<ApiKey[]>('GET', '/api/keys') });
export const makeKey = (form: { name: string; role: Role }) => request<NewKey>('POST', '/api/keys', form);
export const removeKey = (id: string) => request<void>('DELETE', at`/api/keys/${id}`);

/** A part of the audit trail, the newest first. */
export const audit = (before: number | undefined, max: number) =>
  request<AuditRow[]>('GET', `/api/audit${query({ before, max })}`);
