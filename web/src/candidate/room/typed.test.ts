import { describe, expect, it } from 'vitest';
import { type Caption, captionsOf, type Stream } from './captions';
import {
  actionOf,
  charactersOver,
  type Key,
  NOTHING_TYPED,
  type Problem,
  problemOf,
  problemShown,
  sentenceOf,
  type Typed,
  type TypedEvent,
  typedAfter,
  withTyped,
} from './typed';

const edited = (draft: string): TypedEvent => ({ kind: 'edited', draft });
const sent = (key: string, place = 0, rejoins = 0): TypedEvent => ({ kind: 'sent', key, place, rejoins });
const left = (key: string): TypedEvent => ({ kind: 'left', key, id: `stream ${key}` });
const answered = (key: string, answer: 'accepted' | 'refused', reason = ''): TypedEvent => ({
  kind: 'answered',
  answer: { id: `stream ${key}`, answer, reason },
});
const typedBy = (...events: TypedEvent[]) => events.reduce(typedAfter, NOTHING_TYPED);
const SENT = [{ kind: 'opened' } as const, edited(' I led a team.\n'), sent('a'), left('a')];

/** Rule R04: the interviewer takes 4,000 bytes of UTF-8, which are fewer characters than bytes. */
describe('what may be sent', () => {
  it.each<[string, number]>([
    ['x'.repeat(4000), 0],
    ['x'.repeat(4001), 1],
    [`  ${'x'.repeat(4000)}\n`, 0],
    ['é'.repeat(2000), 0],
    [`${'é'.repeat(2000)}é`, 1],
    [`x${'é'.repeat(2000)}`, 1],
    ['👋'.repeat(1003), 3],
  ])('is measured in bytes and told in characters (%#)', (text, by) => {
    expect(charactersOver(text)).toBe(by);
    expect(problemOf(text, 'there')).toEqual(by > 0 ? { kind: 'long', by } : undefined);
  });

  it.each(['', ' ', '\n \t'])('is not nothing (%j)', (draft) => {
    expect(problemOf(draft, 'there')).toEqual({ kind: 'blank' });
  });

  it('waits for a line and an interviewer', () => {
    expect(problemOf('Yes.', 'cut')).toEqual({ kind: 'cut' });
    expect(problemOf('Yes.', 'absent')).toEqual({ kind: 'absent' });
    expect(problemOf('x'.repeat(4001), 'cut')).toEqual({ kind: 'long', by: 1 });
  });
});

describe('a key', () => {
  const key = (key: string, more: Partial<Key> = {}): Key => ({
    key,
    shiftKey: false,
    altKey: false,
    repeat: false,
    isComposing: false,
    keyCode: 0,
    ...more,
  });
  it.each<[string, Key, ReturnType<typeof actionOf>]>([
    ['Enter sends', key('Enter'), 'send'],
    ['Shift+Enter is a new line', key('Enter', { shiftKey: true }), 'type'],
    ['Alt+Enter is the system’s', key('Enter', { altKey: true }), 'type'],
    ['Enter held down sends once', key('Enter', { repeat: true }), 'nothing'],
    ['Shift+Enter held down makes lines', key('Enter', { shiftKey: true, repeat: true }), 'type'],
    ['Enter ends the composing of a character', key('Enter', { isComposing: true }), 'type'],
    ['as Safari tells it', key('Enter', { keyCode: 229 }), 'type'],
    ['Escape closes', key('Escape'), 'close'],
    ['Escape ends the composing first', key('Escape', { isComposing: true }), 'type'],
    ['a letter is typed', key('k'), 'type'],
  ])('%s', (_, pressed, action) => expect(actionOf(pressed)).toBe(action));
});

describe('an answer', () => {
  it('leaves the field empty and open', () => {
    expect(typedBy(...SENT)).toMatchObject({ isOpen: true, draft: '', problem: undefined });
    expect(typedBy(...SENT).answers).toMatchObject([{ text: 'I led a team.', state: 'sent' }]);
  });

  it('that a button says leaves the field alone, and is in it if it does not count', () => {
    const said: TypedEvent = { kind: 'said', key: 'a', text: 'No, thank you.', place: 2, rejoins: 1 };
    const typed = typedBy(edited('I was'), said);
    expect(typed).toMatchObject({ isOpen: false, draft: 'I was' });
    expect(typed.answers).toEqual([
      { key: 'a', id: undefined, text: 'No, thank you.', state: 'sent', place: 2, rejoins: 1 },
    ]);
    const failed = typedBy(edited('I was'), said, { kind: 'failed', key: 'a' });
    expect(failed).toMatchObject({ isOpen: true, draft: 'No, thank you.\nI was', problem: { kind: 'failed' } });
  });

  it('is taken', () => {
    const typed = typedBy(...SENT, edited('And'), answered('a', 'accepted'));
    expect(typed).toMatchObject({ draft: 'And', problem: undefined, answers: [{ state: 'taken' }] });
    const again = typedBy(...SENT, edited('I led a team. Twice.'), answered('a', 'accepted'));
    expect(again.draft, 'the same words are typed anew').toBe('I led a team. Twice.');
  });

  it('stays taken when its time is over', () => {
    const typed = typedBy(...SENT, answered('a', 'accepted'));
    const later = [{ kind: 'waited', key: 'a' } as const, answered('a', 'refused')].reduce(typedAfter, typed);
    expect(later).toMatchObject({ draft: '', problem: undefined, answers: [{ state: 'taken' }] });
  });

  it.each<[string, TypedEvent, Problem]>([
    ['refused', answered('a', 'refused', 'busy'), { kind: 'refused', reason: 'busy' }],
    ['not sent', { kind: 'failed', key: 'a' }, { kind: 'failed' }],
    ['not answered', { kind: 'waited', key: 'a' }, { kind: 'unanswered' }],
  ])('that is %s is in the field again', (_, event, problem) => {
    const back = { isOpen: true, draft: 'I led a team.', problem, answers: [{ state: 'back' }] };
    expect(typedBy(...SENT, event)).toMatchObject(back);
    expect(typedBy(...SENT, { kind: 'closed' }, event), 'a closed field opens').toMatchObject(back);
    expect(typedBy(...SENT, event, event), 'once').toMatchObject(back);
    expect(typedBy(...SENT, edited('And more'), event).draft).toBe('I led a team.\nAnd more');
  });

  it('that was taken late goes from the field again', () => {
    const late = [...SENT, { kind: 'waited', key: 'a' } as const];
    const accepted = answered('a', 'accepted');
    const gone = { draft: '', problem: undefined, answers: [{ state: 'taken' }] };
    expect(typedBy(...late, accepted)).toMatchObject(gone);
    expect(typedBy(...SENT, edited('More'), { kind: 'waited', key: 'a' }, accepted).draft).toBe('More');
    expect(typedBy(...late, edited('I led two teams.'), accepted).draft).toBe('I led two teams.');
  });

  it('is told from others by its id', () => {
    const two = [...SENT, edited('Two.'), sent('b'), left('b')];
    expect(typedBy(...two, answered('b', 'refused')).draft).toBe('Two.');
    expect(typedBy(...two, answered('c', 'refused'))).toEqual(typedBy(...two));
    // Nobody answers what has not left.
    const unsent = typedBy(edited('One.'), sent('a'));
    const foreign: TypedEvent = { kind: 'answered', answer: { id: 'end', answer: 'refused', reason: '' } };
    expect(typedAfter(unsent, foreign)).toEqual(unsent);
  });

  it('keeps its draft while the field is closed', () => {
    expect(typedBy(edited('Half an'), { kind: 'closed' }, { kind: 'opened' }).draft).toBe('Half an');
  });
});

describe('what is wrong', () => {
  const held = (problem: Problem, draft = 'Yes.') => typedBy(edited(draft), { kind: 'held', problem });
  const said = (typed: Typed) => {
    const problem = problemShown(typed);
    return problem && sentenceOf(problem, 'Alba');
  };

  it('is nothing at first', () => expect(said(typedBy(edited('Yes.')))).toBeUndefined());

  it('counts what is too much while it is typed, and after Send', () => {
    const long = 'x'.repeat(4012);
    expect(said(typedBy(edited(long)))).toMatch(/ 12 characters too long/);
    expect(said(held({ kind: 'long', by: 12 }, long))).toMatch(/ 12 characters too long/);
    expect(said(held({ kind: 'cut' }, long)), 'before all else').toMatch(/ 12 characters too long/);
    expect(said(typedBy(edited('x'.repeat(4001))))).toMatch(/ 1 character too long/);
  });

  it('says why it was refused', () => {
    const refused = (reason: string) => said(held({ kind: 'refused', reason }));
    expect(refused('it is too long')).toMatch(/^Alba could not take your answer.*: it is too long\.$/);
    expect(refused('')).toMatch(/: no answer can be taken right now\.$/);
  });

  it('has a sentence of its own for each problem', () => {
    const problems: Problem[] = [
      { kind: 'blank' },
      { kind: 'long', by: 2 },
      { kind: 'cut' },
      { kind: 'absent' },
      { kind: 'failed' },
      { kind: 'unanswered' },
      { kind: 'refused', reason: 'why' },
    ];
    const sentences = problems.map((problem) => said(held(problem)));
    expect(sentences.filter((sentence) => sentence?.endsWith('.'))).toHaveLength(problems.length);
    expect(new Set(sentences).size).toBe(problems.length);
  });

  it('goes when it is mended, and what did not count is read first', () => {
    expect(typedAfter(held({ kind: 'blank' }, ' '), edited('Y')).problem).toBeUndefined();
    expect(typedAfter(held({ kind: 'long', by: 1 }), edited('Y')).problem).toBeUndefined();
    const unanswered = held({ kind: 'unanswered' });
    expect(typedAfter(unanswered, edited('Yes. And')).problem).toEqual({ kind: 'unanswered' });
    expect(typedAfter(unanswered, edited('')).problem).toBeUndefined();
    expect(typedAfter(held({ kind: 'cut' }), sent('a')).problem).toBeUndefined();
  });
});

/** Rules C02 and R03: what was typed is a caption of the candidate's, at its place, once. */
describe('a typed answer in the captions', () => {
  const stream = (identity: string, id: string, text: string): Stream => ({
    text,
    participantInfo: { identity },
    streamInfo: { id, timestamp: 0, attributes: { 'lk.segment_id': id, 'lk.transcription_final': 'true' } },
  });
  const asked = stream('agent', 'r1-0', 'What did you do?');
  const thanks = stream('agent', 'r2-0', 'Thank you.');
  const heard = { earlier: [], streams: [asked, thanks], candidate: 'cand', rejoins: 0 };
  const shown = (typed: Typed, more: Partial<typeof heard> = {}) =>
    captionsOf(withTyped(typed.answers, { ...heard, ...more }), 'cand').map(lineOf);
  const lineOf = ({ said, partial }: Caption) => [said, partial];
  const taken = typedBy(edited('I led a team.'), sent('a', 1), left('a'), answered('a', 'accepted'));

  it('stands where it was sent', () => {
    expect(shown(taken)).toEqual([
      ['What did you do?', ''],
      ['I led a team.', ''],
      ['Thank you.', ''],
    ]);
    const both = [
      ['What did you do?', ''],
      ['Thank you.', ''],
    ];
    expect(shown(typedBy(edited('First.'), sent('a')))).toEqual([['', 'First.'], ...both]);
    expect(shown(typedBy(edited('Last.'), sent('a', 2)))).toEqual([...both, ['', 'Last.']]);
  });

  it('is the candidate’s', () => {
    expect(captionsOf(withTyped(taken.answers, heard), 'cand')[1]?.speaker).toBe('candidate');
  });

  it('is grey until it is taken, and not there when its text is in the field again', () => {
    const sentOnly = typedBy(edited('I led a team.'), sent('a', 1), left('a'));
    expect(shown(sentOnly)[1]).toEqual(['', 'I led a team.']);
    const refused = typedAfter(sentOnly, answered('a', 'refused'));
    expect(shown(refused)).toEqual([
      ['What did you do?', ''],
      ['Thank you.', ''],
    ]);
  });

  it('stands once when the interviewer shows it, too', () => {
    const theirs = stream('cand', 'stream a', 'I led a team.');
    expect(shown(taken, { streams: [asked, theirs, thanks] })[1]).toEqual(['I led a team.', '']);
  });

  it('is read with what was said before once the room was joined again', () => {
    const said = (said: string) => ({ key: 'earlier 1', speaker: 'candidate' as const, said, partial: '' });
    const rejoined = { streams: [thanks], rejoins: 1 };
    expect(shown(taken, rejoined)).toEqual([
      ['I led a team.', ''],
      ['Thank you.', ''],
    ]);
    const read = { ...heard, ...rejoined, earlier: [said('Well. I led a team.')] };
    expect(withTyped(taken.answers, read)).toEqual([thanks]);
    expect(withTyped(taken.answers, { ...read, rejoins: 0 }), 'said before and again').toHaveLength(2);
    const theirs = { ...read, earlier: [{ ...said('I led a team.'), speaker: 'interviewer' as const }] };
    expect(withTyped(taken.answers, theirs)).toHaveLength(2);
  });

  it('changes nothing where nothing was typed', () => {
    expect(withTyped([], heard)).toBe(heard.streams);
  });
});

describe('texts that returned to the field', () => {
  const two = [
    { kind: 'opened' } as const,
    edited('First.'),
    sent('a'),
    left('a'),
    edited('Second.'),
    sent('b'),
    left('b'),
    edited('draft'),
    answered('a', 'refused', 'too many'),
    answered('b', 'refused', 'too many'),
  ];

  it('stand in their order before what was typed since', () => {
    expect(typedBy(...two).draft).toBe('First.\nSecond.\ndraft');
  });

  it.each([
    ['a', 'Second.\ndraft'],
    ['b', 'First.\ndraft'],
  ])('are taken out when they count after all (%s)', (key, draft) => {
    expect(typedBy(...two, answered(key, 'accepted')).draft).toBe(draft);
  });

  it('stay when they were changed', () => {
    const changed = [...SENT, answered('a', 'refused', 'late'), edited('I led a team.No'), answered('a', 'accepted')];
    expect(typedBy(...changed).draft).toBe('I led a team.No');
  });
});
