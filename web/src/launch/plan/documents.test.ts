import { describe, expect, it } from 'vitest';
import { checkDocuments, type DocumentDraft, draftsOf, draftsOfTexts, readingOf, textsOf } from './documents';

const MB = 1024 * 1024;
const read = (name: string, text = 'Text.'): DocumentDraft => ({ id: name, name, ...readingOf(text, false) });
const ten = Array.from({ length: 10 }, (_, number) => read(`${number}.md`));

/** K05: what the server would refuse is refused before it is sent, in a sentence that says how to mend it. */
describe('files', () => {
  it.each<[string, number, DocumentDraft[], string | undefined]>([
    ['notes.md', 5, [], undefined],
    ['NOTES.PDF', 10 * MB, ten.slice(1), undefined],
    ['deck.pptx', 5, [], 'deck.pptx is none of txt, md, pdf, docx and csv. Save it as one of these.'],
    ['README', 5, [], 'README is none of txt, md, pdf, docx and csv. Save it as one of these.'],
    ['md', 5, [], 'md is none of txt, md, pdf, docx and csv. Save it as one of these.'],
    ['notes.md', 0, [], 'notes.md is empty. Choose the file that has the text.'],
    ['scan.pdf', 10 * MB + 1, [], 'scan.pdf has 10.1 MB; 10 MB is the most. Save it smaller, or as text.'],
    ['1.md', 5, ten.slice(1), 'There is a document 1.md already. Remove it first, or rename this one.'],
    ['notes.md', 5, ten, 'notes.md would be one too many: 10 documents are the most. Remove one first.'],
  ])('%s of %i bytes', (name, size, before, why) => {
    const [draft] = draftsOf([{ name, size }], before);
    expect(draft?.state === 'failed' ? draft.why : undefined).toBe(why);
  });

  it('counts those that come together, and not those that failed', () => {
    const files = ['bad.exe', 'a.md', 'a.md', 'b.md', 'c.md'].map((name) => ({ name, size: 5 }));
    const drafts = draftsOf(files, ten.slice(2));
    expect(drafts.map(({ state }) => state)).toEqual(['failed', 'reading', 'failed', 'reading', 'failed']);
    expect(new Set(drafts.map(({ id }) => id)).size).toBe(5);
  });

  it('takes a sample once', () => {
    const sample = [{ name: 'a.md', text: 'A' }];
    const first = draftsOfTexts(sample, []);
    expect(textsOf(first)).toEqual(sample);
    expect(draftsOfTexts(sample, first)).toEqual([]);
  });
});

/** U02: nothing is launched with half of its documents. */
describe('the documents', () => {
  it.each<[DocumentDraft[], string | undefined]>([
    [[], undefined],
    [ten, undefined],
    [[{ id: 'x', name: 'x.md', state: 'failed', why: '' }], undefined],
    [[{ id: 'x', name: 'x.md', state: 'reading' }], 'x.md is still being read. Wait for it, or remove it.'],
    [[read('x.md', ' \n')], 'x.md has no text. Type some, or remove it.'],
    [[...ten, read('x.md')], 'These are 11 documents; 10 are the most. Remove some.'],
    [[read('x.md', '😀'.repeat(400_000))], undefined],
    [
      [read('x.md', 'x'.repeat(400_000)), read('y.md', 'y')],
      'The documents have 400,001 characters in all; 400,000 are the most. Shorten a text, or remove one.',
    ],
  ])('%#', (documents, sentence) => expect(checkDocuments(documents)).toBe(sentence));

  it('sends what was read, as it was changed', () => {
    const failed: DocumentDraft = { id: 'y', name: 'y.md', state: 'failed', why: '' };
    expect(textsOf([read('x.md', 'New.'), failed])).toEqual([{ name: 'x.md', text: 'New.' }]);
  });
});
