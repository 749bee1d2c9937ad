import type { ReactNode } from 'react';
import { t } from '../texts';
import { Icon, type IconName } from './Icon';

interface NoticeProps {
  kind?: 'info' | 'ok' | 'warn' | 'bad';
  icon: IconName;
  heading: string;
  /** `now` interrupts a screen reader, `soon` waits; without it the notice is part of the page. */
  told?: 'now' | 'soon';
  /** A way on beside the text. */
  action?: ReactNode;
  children?: ReactNode;
}

/** A shape, a word, a way on. It stays until its reason is gone. */
export function Notice({ kind = 'info', icon, heading, told, action, children }: NoticeProps) {
  const role = told === 'now' ? 'alert' : told === 'soon' ? 'status' : undefined;
  return (
    <div className={kind === 'info' ? 'notice' : `notice ${kind}`} role={role}>
      <Icon name={icon} />
      <div>
        <b>{heading}</b>
        {children}
      </div>
      {action}
    </div>
  );
}

/** Above what was loaded before, when it cannot be loaded anew. */
export function Outdated({ why }: { why: string }) {
  return (
    <Notice kind="warn" icon="warn" heading={t('outdated')} told="soon">
      <p>{why}</p>
    </Notice>
  );
}
