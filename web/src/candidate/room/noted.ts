/** What a page tells of itself where the opening asks for it. */
export type Fact = { what: 'left' | 'returned' } | { what: 'pasted'; characters: number };

/** What a change of the page's visibility tells; nothing while it stays as it was. */
export function factOf(wasHidden: boolean, isHidden: boolean): Fact | undefined {
  if (wasHidden === isHidden) return undefined;
  return { what: isHidden ? 'left' : 'returned' };
}

/** What a paste tells; of one without text there is nothing to tell. */
export function pasteOf(text: string): Fact | undefined {
  const characters = [...text].length;
  return characters > 0 ? { what: 'pasted', characters } : undefined;
}
