import { expect, it } from 'vitest';
import type { OpeningForm } from '../api/contract';
import { EMPTY } from './draft';
import { merge, taking } from './merge';

const base: OpeningForm = { ...EMPTY, title: 'Backend', role: 'Backend engineer', contact: 'ana' };

it('joins changes of different fields without asking', () => {
  const { form, theirs, conflicts } = merge(base, { ...base, title: 'Backend, payments' }, { ...base, link_days: 14 });
  expect(form).toEqual({ ...base, title: 'Backend, payments', link_days: 14 });
  expect(theirs).toEqual(['link_days']);
  expect(conflicts).toEqual([]);
});

it('asks where both changed the same field, and keeps mine until then', () => {
  const other = { ...base, contact: 'ben' };
  const mine = { ...base, contact: 'cem' };
  const { form, theirs, conflicts } = merge(base, mine, other);
  expect(conflicts).toEqual(['contact']);
  expect(theirs).toEqual([]);
  expect(form.contact).toBe('cem');
  expect(taking(form, other, ['contact']).contact).toBe('ben');
});

it('sees lists as one field, and the same change as none to ask about', () => {
  const question = { text: 'Why?', wording: 'guide' as const, follow_ups: 1 };
  const both = { ...base, questions: [question] };
  expect(merge(base, both, { ...base, questions: [{ ...question }] }).conflicts).toEqual([]);
  expect(merge(base, both, { ...base, questions: [{ ...question, follow_ups: 2 }] }).conflicts).toEqual(['questions']);
});
