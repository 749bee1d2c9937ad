import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

interface MenuProps {
  /** What stands on the button. */
  button: ReactNode;
  /** What the button is called, where its content does not say it. */
  label?: string;
  className?: string;
  /** What stands above the items, such as who is signed in. */
  head?: ReactNode;
  /** `MenuItem`s and `MenuLink`s. */
  children: ReactNode;
}

/** A button that opens a list of actions; arrows move in it, Esc closes it, and the focus returns to the button. */
export function Menu({ button, label, className = 'btn plain dense', head, children }: MenuProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  function opened(open: boolean) {
    setOpen(open);
    if (!open || !menu.current || !opener.current) return;
    place(menu.current, opener.current);
    itemsOf(menu.current)[0]?.focus();
  }

  function move(event: KeyboardEvent) {
    const items = itemsOf(menu.current);
    const now = items.indexOf(document.activeElement as HTMLElement);
    const next = nextOf(event.key, now, items.length);
    if (event.key === 'Tab') menu.current?.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  }

  return (
    <>
      <button
        type="button"
        className={className}
        ref={opener}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        popoverTarget={id}
      >
        {button}
      </button>
      <div id={id} ref={menu} className="menu" popover="auto" onToggle={(event) => opened(event.newState === 'open')}>
        {head && <div className="menu-head">{head}</div>}
        <div role="menu" aria-label={label} tabIndex={-1} onClick={() => menu.current?.hidePopover()} onKeyDown={move}>
          {children}
        </div>
      </div>
    </>
  );
}

type MenuItemProps = { danger?: boolean | undefined; children: ReactNode } & (
  | { onDo: () => void; why?: undefined }
  /** It cannot be done, and why. */
  | { onDo?: undefined; why: string }
);

/** An action in a menu. */
export function MenuItem({ onDo, why, danger, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={danger ? 'danger' : undefined}
      aria-disabled={why ? true : undefined}
      onClick={why ? (event) => event.stopPropagation() : onDo}
    >
      {children}
      {why && <span className="small soft why">{why}</span>}
    </button>
  );
}

/** A link in a menu, such as to a file. */
export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a role="menuitem" tabIndex={-1} href={href} download>
      {children}
    </a>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return menu ? [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')] : [];
}

/** Which item a key leads to; nothing where it leads nowhere. */
export function nextOf(key: string, now: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (now + 1) % count;
    case 'ArrowUp':
      return (now - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Below its button where there is room, otherwise above it; never beyond the window. */
function place(menu: HTMLElement, button: HTMLElement) {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + height + 8 <= innerHeight || at.top < height;
  menu.style.top = `${below ? at.bottom + 4 : at.top - height - 4}px`;
  menu.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`;
}
