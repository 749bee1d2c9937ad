/** The key that does the same as the button it stands on; the button's own word is what is read out. */
export function Key({ children }: { children: string }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus.
  return <kbd aria-hidden="true">{children}</kbd>;
}
