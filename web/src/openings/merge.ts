import type { OpeningForm } from '../api/contract';
import { isSame } from './draft';

export type FormField = keyof OpeningForm;

/** What comes of two changes of the same form. */
export interface Merged {
  /** Both changes; where both changed the same field, mine. */
  form: OpeningForm;
  /** Fields that they changed and I did not. */
  theirs: FormField[];
  /** Fields that both changed, not in the same way: somebody has to choose. */
  conflicts: FormField[];
}

/** Joins what I changed and what somebody else changed meanwhile, field by field. */
export function merge(base: OpeningForm, mine: OpeningForm, other: OpeningForm): Merged {
  const fields = Object.keys(base) as FormField[];
  const changedBy = (form: OpeningForm) => fields.filter((field) => !isSame(form[field], base[field]));
  const [byMe, byThem] = [changedBy(mine), changedBy(other)];
  const theirs = byThem.filter((field) => !byMe.includes(field));
  const conflicts = byThem.filter((field) => byMe.includes(field) && !isSame(mine[field], other[field]));
  return { form: taking(mine, other, theirs), theirs, conflicts };
}

/** My form with these fields as the other one has them. */
export function taking(mine: OpeningForm, other: OpeningForm, fields: readonly FormField[]): OpeningForm {
  const taken = Object.fromEntries(fields.map((field) => [field, other[field]])) as Partial<OpeningForm>;
  return { ...mine, ...taken };
}
