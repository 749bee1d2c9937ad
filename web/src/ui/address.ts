const ADDRESS_MAX = 254;
const LOCAL_MAX = 64;
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+$/u;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
const TOP = /^(?:xn--.+|[\p{L}\p{M}]{2,})$/u;

/** What is wrong with an e-mail address, as the server names it (`blueprint/address.rs`). */
export type AddressFault = 'empty' | 'no-at' | 'many-at' | 'no-local' | 'no-host' | 'malformed';

/** Checks an e-mail address, by the rules of the server. */
export function addressFault(text: string): AddressFault | undefined {
  if (text === '') return 'empty';
  if ([...text].length > ADDRESS_MAX || /[\s\p{Cc}]/u.test(text)) return 'malformed';
  const at = text.indexOf('@');
  if (at < 0) return 'no-at';
  const [local, host] = [text.slice(0, at), text.slice(at + 1)];
  if (local === '') return 'no-local';
  if (host.includes('@')) return 'many-at';
  const labels = host.split('.');
  if (labels.length < 2 || labels.includes('')) return 'no-host';
  const isLocal = [...local].length <= LOCAL_MAX && local.split('.').every((part) => LOCAL_PART.test(part));
  const isHost = labels.every((label) => LABEL.test(label)) && TOP.test(labels.at(-1) ?? '');
  return isLocal && isHost ? undefined : 'malformed';
}
