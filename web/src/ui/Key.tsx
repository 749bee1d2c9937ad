/** The key that does the same as the button it stands on; the button's own word is what is read out. */
export function Key({ name }: { name: string }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus.
  return <kbd aria-hidden="true">{name}</kbd>;
}
