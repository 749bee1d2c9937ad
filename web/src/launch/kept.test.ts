import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { kept } from './kept';

const useDraft = kept('');
let type: (text: string) => void = () => undefined;
function Page() {
  const [draft, setDraft] = useDraft();
  type = setDraft;
  return draft;
}

/** U02: nothing typed is lost, and no link, when another page is looked at in between. */
it('outlives the page that set it', () => {
  const opened = () => renderToStaticMarkup(createElement(Page));
  expect(opened()).toBe('');
  type('Ilse');
  expect(opened()).toBe('Ilse');
});
