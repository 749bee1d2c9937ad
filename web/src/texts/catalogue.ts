import type { en } from './en';
import type { recruiter } from './recruiter';

/** The same keys as in English, with words of another language. */
type Words<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Words<T[Key]> };

/** A catalogue: all that people read in the pages. */
export type Texts = Words<typeof en>;

/** The part of a catalogue that only recruiters read. */
export type RecruiterTexts = Words<typeof recruiter>;
