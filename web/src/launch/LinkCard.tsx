import { useEffect, useRef, useState } from 'react';
import type { Launched } from '../api/client';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { LocalHint } from '../ui/LocalHint';
import { untilOf } from '../ui/until';

interface LinkCardProps {
  launched: Launched;
  name: string;
  onAnother: () => void;
}

/** The candidate's link, shown this once: the server keeps only its hash. */
export function LinkCard({ launched, name, onAnother }: LinkCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  const link = new URL(launched.link, location.origin).href;
  useEffect(() => heading.current?.focus(), []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(link);
      setCopied('yes');
    } catch {
      setCopied('failed');
    }
  }

  return (
    <section className="card stack" aria-labelledby="link-h">
      <h2 id="link-h" tabIndex={-1} ref={heading}>
        {t('link.ready', { name })}
      </h2>
      <p>{t('link.send', { until: untilOf(launched.expires_at) })}</p>
      <LocalHint />
      <div className="field">
        <label htmlFor="link">{t('link.label')}</label>
        <input id="link" readOnly value={link} onFocus={(event) => event.target.select()} />
      </div>
      <div className="row">
        <button type="button" className="btn primary" onClick={copy}>
          <Icon name="copy" /> {t('link.copy')}
        </button>
        <a className="btn" href={launched.link} target="_blank" rel="noreferrer">
          {t('link.open')}
        </a>
        <button type="button" className="btn plain" onClick={onAnother}>
          {t('link.another')}
        </button>
        <span role="status">
          {copied === 'yes' && <span className="status ok">{t('link.copied')}</span>}
          {copied === 'failed' && <span className="status warn">{t('link.notCopied')}</span>}
        </span>
      </div>
    </section>
  );
}
