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

/** U02: nor when the page is loaded anew, where the browser keeps it; nothing strange is taken for it. */
it('outlives a reload', () => {
  const there = new Map<string, string>();
  const storage = {
    getItem: (key: string) => there.get(key) ?? null,
    setItem: (k: string, v: string) => void there.set(k, v),
  };
  const place = { key: 'draft', restore: (found: string[]) => found.filter(Boolean), storage };
  const loaded = () => {
    let list: readonly string[] = [];
    let set: (next: string[]) => void = () => undefined;
    const use = kept<string[]>([], place);
    renderToStaticMarkup(
      createElement(() => {
        [list, set] = use();
        return null;
      }),
    );
    return { list, set };
  };
  loaded().set(['a', '', 'b']);
  expect(loaded().list).toEqual(['a', 'b']);
  there.set('draft', '{');
  expect(loaded().list).toEqual([]);
  storage.setItem = () => {
    throw new Error('full');
  };
  expect(() => loaded().set(['c'])).not.toThrow();
});
