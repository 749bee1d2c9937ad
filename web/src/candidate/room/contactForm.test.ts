import { describe, expect, it } from 'vitest';
import type { FormField } from '../../api/client';
import {
  type ContactForm,
  type ContactFormEvent,
  contactFormAfter,
  errorOf,
  errorsOf,
  fieldsShown,
  filledIn,
  formSentenceOf,
  idFor,
  inputOf,
  NOTHING_FILLED,
} from './contactForm';

const NAME: FormField = { key: 'name', title: 'Name', format: 'text' };
const EMAIL: FormField = { key: 'email', title: 'E-mail', format: 'email' };
const PHONE: FormField = { key: 'phone', title: 'Phone', format: 'phone' };
const FIELDS = [NAME, EMAIL, PHONE];
const MAIL = 'ada@example.org';

const by = (...events: ContactFormEvent[]): ContactForm => events.reduce(contactFormAfter, NOTHING_FILLED);
const edited = (key: string, value: string): ContactFormEvent => ({ kind: 'edited', key, value });
const sent = (id: string, values: ContactForm['values'] = { email: MAIL }): ContactFormEvent => ({
  kind: 'sent',
  id,
  values,
});
const answered = (id: string, answer: 'accepted' | 'refused', reason = ''): ContactFormEvent => ({
  kind: 'answered',
  answer: { id, answer, reason },
});
const keys = (fields: readonly FormField[]) => fields.map(({ key }) => key).join(' ');

/** L06, L08: the form is there while contact data are asked for, and goes with the phase, field by field. */
describe('the form is shown', () => {
  it.each([
    ['DATA_COLLECTION_CONSENT', 'name email phone'],
    ['DATA_COLLECTION', 'name email phone'],
    ['FINAL_GOODBYE', ''],
    ['EXPLORING', ''],
    ['', ''],
    [undefined, ''],
  ])('in %s: %s', (phase, shown) => expect(keys(fieldsShown(NOTHING_FILLED, FIELDS, phase))).toBe(shown));

  it('only where the interview has one', () => {
    expect(fieldsShown(NOTHING_FILLED, [], 'DATA_COLLECTION')).toEqual([]);
  });

  it('not to somebody who would rather not', () => {
    expect(fieldsShown(by({ kind: 'declined' }), FIELDS, 'DATA_COLLECTION')).toEqual([]);
  });

  it('without what was taken', () => {
    const form = by(sent('a'), answered('a', 'accepted'));
    expect(keys(fieldsShown(form, FIELDS, 'DATA_COLLECTION'))).toBe('name phone');
  });
});

/** What was typed is there until it is taken, whatever comes in between. */
describe('what was filled in', () => {
  const typed = [edited('name', ' Ada '), edited('email', MAIL)];

  it('is sent without empty fields and spaces', () => {
    const form = by(...typed, edited('phone', '  '));
    expect(filledIn(form, FIELDS)).toEqual({ name: 'Ada', email: MAIL });
    expect(filledIn(form, [EMAIL, PHONE]), 'only what is shown').toEqual({ email: MAIL });
    expect(filledIn(NOTHING_FILLED, FIELDS)).toEqual({});
  });

  it.each<[string, ContactFormEvent[]]>([
    ['refused', [sent('a'), answered('a', 'refused', 'not now')]],
    ['unanswered', [sent('a'), { kind: 'unanswered', id: 'a' }]],
    ['held', [{ kind: 'held', errors: {}, problem: { kind: 'cut' } }]],
  ])('stays when it is %s', (kind, events) => {
    const form = by(...typed, ...events);
    expect(form).toMatchObject({ values: { name: ' Ada ', email: MAIL }, taken: {} });
    expect(form.problem?.kind).toBe(kind === 'held' ? 'cut' : kind);
    expect(form.request?.waits ?? false, 'it can be sent again').toBe(false);
  });

  it('is taken, and shown as it was sent', () => {
    const form = by(sent('a'), edited('email', 'b@example.org'), answered('a', 'accepted'));
    expect(form).toMatchObject({ taken: { email: MAIL }, request: undefined, problem: undefined });
    const more = [sent('b', { name: 'Ada' }), answered('b', 'accepted')].reduce(contactFormAfter, form);
    expect(more.taken).toEqual({ email: MAIL, name: 'Ada' });
  });

  it('is taken late, too', () => {
    const form = by(sent('a'), { kind: 'unanswered', id: 'a' }, answered('a', 'accepted'));
    expect(form).toMatchObject({ taken: { email: MAIL }, problem: undefined });
  });

  it('waits for the answer to it alone', () => {
    const form = by(sent('a'), answered('b', 'accepted'), answered('c', 'refused'), { kind: 'unanswered', id: 'd' });
    expect(form).toMatchObject({ taken: {}, problem: undefined, request: { id: 'a', waits: true } });
  });
});

/** Sent again, the same counts once; what was changed, or refused, is another request. */
it('gives the same values the same id', () => {
  const lost = by(sent('a'), { kind: 'unanswered', id: 'a' });
  expect(idFor(lost, { email: MAIL }, 'fresh')).toBe('a');
  expect(idFor(lost, { email: 'b@example.org' }, 'fresh')).toBe('fresh');
  expect(idFor(by(sent('a'), answered('a', 'refused')), { email: MAIL }, 'fresh')).toBe('fresh');
  expect(idFor(NOTHING_FILLED, { email: MAIL }, 'fresh')).toBe('fresh');
});

/** What the interviewer would pass over is told beside its field; a field that is empty is nobody's fault. */
describe('a value', () => {
  it.each([
    '',
    '  ',
    MAIL,
    ' ada.lovelace+jobs@mail.example.co.uk ',
    'zoë@müller.example',
    'a-b_c%d@x-y.org',
    "mary.o'brien@example.ie",
  ])('%j is an address', (value) => expect(errorOf(EMAIL, value)).toBeUndefined());

  it.each([
    ['ada', 'no @'],
    ['ada@', 'no part after the @'],
    ['ada@example', 'No mail arrives'],
    ['ada..l@example.org', 'No mail arrives'],
    ['@example.org', 'No mail arrives'],
    ['ada@@example.org', 'No mail arrives'],
    ['ada lovelace@example.org', 'No mail arrives'],
    ['.ada@example.org', 'No mail arrives'],
    ['ada.@example.org', 'No mail arrives'],
    ['ada@example..org', 'No mail arrives'],
    ['ada@-example.org', 'No mail arrives'],
    ['ada@example.o', 'No mail arrives'],
    ['ada@example.org, bob@example.org', 'No mail arrives'],
    [`${'a'.repeat(65)}@example.org`, 'No mail arrives'],
  ])('%j is none', (value, sentence) => expect(errorOf(EMAIL, value)).toContain(sentence));

  it.each(['', '+49 30 123456', '(0172) 345-678', '0172345678', '+1.212.555.0100'])('%j is a number', (value) =>
    expect(errorOf(PHONE, value)).toBeUndefined(),
  );
  it.each(['12345', '1234567890123456', '0172 x 345678', '12+345678', 'call me'])('%j is no number', (value) =>
    expect(errorOf(PHONE, value)).toContain('6 to 15 digits'),
  );

  it('of text has a letter or a digit', () => {
    expect(errorOf(NAME, '李雷')).toBeUndefined();
    expect(errorOf(NAME, '?!')).toBeDefined();
  });

  it('is checked by its key', () => {
    expect(Object.keys(errorsOf(FIELDS, { name: 'Ada', email: 'ada', phone: '1' }))).toEqual(['email', 'phone']);
  });
});

/** An error is told when a field is left or sent, and goes as soon as it is mended. */
it('takes an error back when its field changes', () => {
  const left = by(edited('email', 'ada'), { kind: 'left', field: EMAIL }, { kind: 'left', field: NAME });
  expect(Object.keys(left.errors)).toEqual(['email']);
  expect(contactFormAfter(left, edited('name', 'Ada')).errors).toEqual(left.errors);
  expect(contactFormAfter(left, edited('email', 'ada@')).errors).toEqual({});
});

/** Browsers and phones help with what they know. */
it.each<[FormField, string, string]>([
  [NAME, 'text', 'name'],
  [EMAIL, 'email', 'email'],
  [PHONE, 'tel', 'tel'],
  [{ key: 'shoe_size', title: 'Shoe size', format: 'text' }, 'text', 'on'],
])('%o', (field, type, autoComplete) => expect(inputOf(field)).toMatchObject({ type, autoComplete }));

/** A refusal is told with its reason, or with words of our own. */
it('says why it was refused', () => {
  expect(formSentenceOf({ kind: 'refused', reason: 'busy' }, 'Alba')).toContain('still here: busy.');
  expect(formSentenceOf({ kind: 'refused', reason: '' }, 'Alba')).toContain('no contact details can be taken');
});
