import { type FormEvent, useRef, useState } from 'react';
import type { Failure } from '../api/client';
import type { Mend } from './ErrorSummary';

interface Fields<F extends Record<string, string>> {
  /** What stands in the fields at first. */
  first: F;
  /** What the fields are called, in the order of the page. */
  labels: Readonly<Record<keyof F & string, string>>;
  /** What is wrong with one of them. */
  check: (field: keyof F & string, value: string, form: F) => string | undefined;
  /** Sends the form once nothing is wrong with it. */
  send: (form: F) => Promise<unknown>;
}

/**
 * A small form: it checks a field when it is left with something in it and all on submit, and takes the server's errors. The
 * ids of the fields are their names.
 */
export function useFields<F extends Record<string, string>>({ first, labels, check, send }: Fields<F>) {
  type Name = keyof F & string;
  const [form, setForm] = useState(first);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [trouble, setTrouble] = useState<string>();
  const [isSending, setSending] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const names = Object.keys(labels) as Name[];

  function refuse(found: Partial<Record<Name, string>>, message?: string) {
    setErrors(found);
    setTrouble(message);
    requestAnimationFrame(() => summary.current?.focus());
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    const found: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const wrong = check(name, form[name] ?? '', form);
      if (wrong) found[name] = wrong;
    }
    if (Object.keys(found).length > 0) return refuse(found);
    setErrors({});
    setTrouble(undefined);
    setSending(true);
    try {
      await send(form);
    } catch (why) {
      const { problem } = why as Failure;
      const told: Partial<Record<Name, string>> = {};
      for (const { field, message } of problem?.fields ?? []) {
        const known = names.find((name) => name === field);
        if (known) told[known] = message;
      }
      const isTold = Object.keys(told).length > 0;
      refuse(told, isTold ? undefined : (problem?.message ?? String(why)));
    } finally {
      setSending(false);
    }
  }

  const control = (name: Name) => ({
    name,
    value: form[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => {
      const next = { ...form, [name]: value };
      setForm(next);
      if (errors[name]) setErrors({ ...errors, [name]: check(name, value, next) });
    },
    onBlur: () => {
      if (form[name]) setErrors({ ...errors, [name]: check(name, form[name], form) });
    },
  });
  const mends: Mend[] = names.flatMap((name) => {
    const message = errors[name];
    return message ? [{ anchor: name, label: labels[name], message }] : [];
  });
  const reset = (next: F = first) => {
    setForm(next);
    setErrors({});
    setTrouble(undefined);
  };
  return { form, errors, trouble, mends, summary, isSending, submit, control, reset };
}
