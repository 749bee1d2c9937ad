import { type ReactNode, useState } from 'react';
import { t } from '../texts';
import { Icon } from './Icon';

interface CopyProps {
  text: string;
  /** What stands on the button. */
  children: ReactNode;
  /** Of what, where several look the same: a screen reader says it after the button's words. */
  of?: string;
  className?: string;
}

/** A button that copies a text and says so in its place. */
export function Copy({ text, children, of, className = 'btn dense' }: CopyProps) {
  const [state, setState] = useState<'no' | 'yes' | 'failed'>('no');

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState('yes');
    } catch {
      setState('failed');
    }
  }

  return (
    <span className="row copy">
      <button type="button" className={className} onClick={copy}>
        <Icon name="copy" /> {children}
        {of && <span className="sr">{t('action.of', { name: of })}</span>}
      </button>
      <span role="status">
        {state === 'yes' && <span className="status ok">{t('link.copied')}</span>}
        {state === 'failed' && <span className="status warn">{t('link.notCopied')}</span>}
      </span>
    </span>
  );
}
