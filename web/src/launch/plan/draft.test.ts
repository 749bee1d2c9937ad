import { describe, expect, it } from 'vitest';
import type { PlanView } from '../../api/client';
import { changedSince, draftOf, isEdited, type PlanDraft, questionsOf, type Source, topicsOf } from './draft';
import { move, setDropped } from './order';

const made: PlanView = {
  signature: 's1',
  by: 'model',
  trouble: null,
  questions: [
    { id: 'q1', text: 'Why is the loss capped?', priority: 'P0' },
    { id: 'q2', text: 'Who runs it by hand?', priority: 'P2' },
  ],
  topics: [
    {
      key: 'tools',
      title: 'Tools',
      sub_goals: ['Which tools?', 'Which costs time?'],
      probes: [],
      cues: ['a sigh'],
      signals: [],
    },
  ],
};
const from: Source = { documents: [{ name: 'a.md', text: 'A' }], guide: '', role: 'Actuary' };
const plan = draftOf(made, from);

/** U02: what is sent is what stands in the form. */
describe('a plan', () => {
  it('is sent as it was made when nothing is changed', () => {
    expect(questionsOf(plan)).toEqual(made.questions);
    expect(topicsOf(plan)).toEqual(made.topics);
  });

  it('is sent without what was dropped, in the new order', () => {
    const moved = { ...plan, questions: move(plan.questions, 'q2', -1) };
    expect(questionsOf(moved).map(({ id }) => id)).toEqual(['q2', 'q1']);
    const dropped = { ...plan, questions: setDropped(plan.questions, 'q1', true) };
    expect(questionsOf(dropped).map(({ id }) => id)).toEqual(['q2']);
    expect(topicsOf({ ...plan, topics: setDropped(plan.topics, 'tools', true) })).toEqual([]);
  });

  it('takes a list one item a line, without the blank ones', () => {
    const topics = plan.topics.map((topic) => ({ ...topic, sub_goals: ' What first?\n\n  \nWhat then? \n' }));
    expect(topicsOf({ ...plan, topics })[0]?.sub_goals).toEqual(['What first?', 'What then?']);
  });

  it.each<[string, Partial<PlanDraft>, boolean]>([
    ['nothing', {}, false],
    ['a blank line', { topics: plan.topics.map((topic) => ({ ...topic, cues: 'a sigh\n' })) }, false],
    ['an order', { questions: move(plan.questions, 'q2', -1) }, true],
    ['a priority', { questions: plan.questions.map((question) => ({ ...question, priority: 'P1' })) }, true],
    ['a drop', { topics: setDropped(plan.topics, 'tools', true) }, true],
    ['a hint', { topics: plan.topics.map((topic) => ({ ...topic, signals: 'workarounds' })) }, true],
  ])('%s is an edit or not', (_, change, edited) => expect(isEdited({ ...plan, ...change })).toBe(edited));

  it.each<[Partial<Source>, string[]]>([
    [{}, []],
    [{ role: ' Actuary ' }, []],
    [{ documents: [{ name: 'a.md', text: 'A' }] }, []],
    [{ documents: [{ name: 'a.md', text: 'B' }] }, ['documents']],
    [{ documents: [{ name: 'b.md', text: 'A' }] }, ['documents']],
    [{ documents: [] }, ['documents']],
    [{ documents: [...from.documents, { name: 'b.md', text: '' }] }, ['documents']],
    [{ guide: 'Start with money.', role: 'Underwriter' }, ['guide', 'role']],
  ])('is old after %j', (change, changed) => expect(changedSince(from, { ...from, ...change })).toEqual(changed));
});
