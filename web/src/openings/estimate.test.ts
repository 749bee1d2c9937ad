import { expect, it } from 'vitest';
import { EMPTY } from './draft';
import { sharesOf } from './Estimate';
import { countingOf } from './useEstimate';

it('asks for the time of what counts, not anew for each letter', () => {
  const form = { ...EMPTY, questions: [{ text: 'Wh', wording: 'guide' as const, follow_ups: 2 }] };
  const typed = { ...form, questions: [{ text: 'What?', wording: 'guide' as const, follow_ups: 2 }], title: 'T' };
  expect(countingOf(typed)).toEqual(countingOf(form));
  const deeper = { ...form, questions: [{ text: 'Wh', wording: 'guide' as const, follow_ups: 3 }] };
  expect(countingOf(deeper)).not.toEqual(countingOf(form));
  expect(countingOf({ ...form, job_description: 'We pay merchants.' })).not.toEqual(countingOf(form));
});

it('draws the limit within the bar, and what is left of it as empty', () => {
  const stages = [
    { title: 'A', minutes: 4 },
    { title: 'B', minutes: 6 },
  ];
  const estimate = { stages, minutes_from: 5, minutes_to: 10, length_limit_min: 20, over_booked: null };
  expect(sharesOf(estimate)).toEqual({ left: 10, limitAt: 100 });
  expect(sharesOf({ ...estimate, length_limit_min: 5 })).toEqual({ left: 0, limitAt: 50 });
});
