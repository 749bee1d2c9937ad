import { describe, expect, it } from 'vitest';
import { checkPlanning, launchForm, type Planning, sourceOf } from './compose';
import { EMPTY } from './drafts';
import { type DocumentDraft, readingOf } from './plan/documents';
import { draftOf, type PlanDraft } from './plan/draft';

const form = { ...EMPTY, name: 'Ilse Varga', guide: 'Start with money.' };
const texts = { name: 'Ilse Varga', role: '', level: 'mid', blueprint: '', resume: '', job_description: '' };
const document: DocumentDraft = { id: 'd', name: 'a.md', ...readingOf('A', false) };
const question = { id: 'q1', text: 'Why?', priority: 'P0' as const };
const topic = { key: 'a', title: 'A', sub_goals: ['Why?'], probes: [], cues: [], signals: [] };
const made = { signature: 's1', by: 'model' as const, trouble: null, questions: [question], topics: [topic] };
const plan = draftOf(made, { documents: [], guide: '', role: '' });
const emptied: PlanDraft = { ...plan, questions: [], topics: [] };
const now: Planning = { planned: 'questions', documents: [document], plan, isMaking: false };

/** U02: a launch carries what its blueprint plans, and nothing of another one. */
describe('what is launched', () => {
  const sent = { ...texts, documents: [{ name: 'a.md', text: 'A' }] };
  it.each<[Partial<Planning>, object]>([
    [{ planned: 'nothing' }, texts],
    [{}, { ...sent, questions: [question], signature: 's1' }],
    [{ planned: 'topics' }, { ...sent, topics: [topic], guide: 'Start with money.', signature: 's1' }],
    [{ plan: undefined }, sent],
    [
      { planned: 'topics', plan: undefined },
      { ...sent, guide: 'Start with money.' },
    ],
  ])('%#', (change, launched) => expect(launchForm(form, { ...now, ...change })).toEqual(launched));

  it('is held in text alone where nobody could hear or speak it', () => {
    const accommodations = { pauses: 'usual', captions: true, types: true };
    expect(launchForm(form, { ...now, planned: 'nothing' }, true)).toEqual({ ...texts, terms: { accommodations } });
  });

  it('a guide is part of a plan of topics alone', () => {
    expect(sourceOf(form, now).guide).toBe('');
    expect(sourceOf(form, { ...now, planned: 'topics' }).guide).toBe('Start with money.');
  });
});

/** U02: nothing is launched while something is still to come, and no plan that was emptied as if there were none. */
describe('before the launch', () => {
  const reading: DocumentDraft = { id: 'x', name: 'x.md', state: 'reading' };
  it.each<[Partial<Planning>, string[]]>([
    [{}, []],
    [{ plan: undefined, documents: [] }, []],
    [{ documents: [reading] }, ['documents']],
    [{ plan: emptied }, ['questions']],
    [{ planned: 'topics', plan: emptied, documents: [reading] }, ['documents', 'topics']],
    [{ plan: undefined, isMaking: true }, ['questions']],
    [{ planned: 'nothing', plan: emptied, documents: [reading], isMaking: true }, []],
  ])('%#', (change, fields) => expect(Object.keys(checkPlanning({ ...now, ...change }))).toEqual(fields));
});
