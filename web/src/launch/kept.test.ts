import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { kept } from './kept';

const useDraft = kept('');
let type: (next: string | ((text: string) => string)) => void = () => undefined;
function Page() {
  const [draft, setDraft] = useDraft();
  type = setDraft;
  return draft;
}

const opened = () => renderToStaticMarkup(createElement(Page));

/** U02: nothing typed is lost, and no link, when another page is looked at in between. */
it('outlives the page that set it', () => {
  expect(opened()).toBe('');
  type('Ilse');
  expect(opened()).toBe('Ilse');
});

/** U02: two files that are read at once are both there. */
it('takes what is there by then', () => {
  opened();
  type('a');
  type((text) => `${text}b`);
  type((text) => `${text}c`);
  expect(opened()).toBe('abc');
});
