import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Invited } from '../api/contract';
import { t } from '../texts';
import { Copy } from '../ui/Copy';
import { LocalHint } from '../ui/LocalHint';
import { untilOf } from '../ui/until';
import { csvOf } from './links';

interface LinksCardProps {
  invited: readonly Invited[];
  title: string;
  onDone: () => void;
}

/** The links of candidates who were just added: they are shown this once. */
export function LinksCard({ invited, title, onDone }: LinksCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const textOf = useCallback(
    ({ name, expires_at }: Invited, link: string) => t('links.text', { name, title, link, until: untilOf(expires_at) }),
    [title],
  );
  const csv = useMemo(() => csvOf(invited, location.origin, textOf), [invited, textOf]);
  const file = useMemo(() => URL.createObjectURL(new Blob([csv], { type: 'text/csv' })), [csv]);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  const until = Math.min(...invited.map(({ expires_at }) => expires_at));
  return (
    <section className="card stack links" aria-labelledby="links-h">
      <h2 id="links-h" tabIndex={-1} ref={heading}>
        {t('links.heading', { count: invited.length })}
      </h2>
      <p>{t('links.send', { until: untilOf(until) })}</p>
      <LocalHint />
      <ul className="plain">
        {invited.map((one) => {
          const { id, name } = one;
          const whole = new URL(one.link, location.origin).href;
          return (
            <li key={id} className="link">
              <div className="field">
                <label htmlFor={`link-${id}`}>{name}</label>
                <input id={`link-${id}`} readOnly value={whole} onFocus={(event) => event.target.select()} />
              </div>
              <Copy text={whole} of={name}>
                {t('link.copy')}
              </Copy>
              <Copy text={textOf(one, whole)} of={name}>
                {t('links.copyText')}
              </Copy>
            </li>
          );
        })}
      </ul>
      <div className="row">
        {invited.length > 1 && <Copy text={csv}>{t('links.copyAll')}</Copy>}
        <a className="btn dense" href={file} download={t('links.file', { title })}>
          {t('links.download')}
        </a>
        <button type="button" className="btn primary dense push" onClick={onDone}>
          {t('links.done')}
        </button>
      </div>
    </section>
  );
}
