import { queryOptions } from '@tanstack/react-query';
import type {
  Account,
  AccountLink,
  ApiKey,
  AuditChain,
  AuditChoices,
  AuditQuery,
  AuditRow,
  NewKey,
  Role,
  SessionView,
} from './contract';
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
/** The same, where they show again who they are. */
export const START_FRESH = '/api/oidc/start?fresh=true';
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

/** Shows again who it is, before somebody is given access. */
export const confirm = (form: { password: string }) => request<void>('POST', '/api/confirm', form);

/** A part of the audit trail, the newest first. */
export const audit = (asked: AuditQuery, below: number | undefined, max: number) =>
  request<AuditRow[]>('GET', `/api/audit${query({ ...asked, below, max })}`);
/** The same as a file. */
export const exportOfAudit = (asked: AuditQuery) => `/api/audit/export${query({ ...asked })}`;
/** By what its entries can be looked for. */
export const auditChoices = queryOptions({
  queryKey: ['audit', 'choices'],
  queryFn: () => request<AuditChoices>('GET', '/api/audit/choices'),
});
/** Whether it is as it was written. */
export const auditChain = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: () => request<AuditChain>('GET', '/api/audit/chain'),
});
