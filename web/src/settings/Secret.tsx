import { useEffect, useRef } from 'react';
import { t } from '../texts';
import { Copy } from '../ui/Copy';

interface SecretProps {
  heading: string;
  about: string;
  label: string;
  value: string;
  onDone: () => void;
}

/** Something that is shown this once. */
export function Secret({ heading, about, label, value, onDone }: SecretProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="card stack" aria-labelledby="secret-h">
      <h2 id="secret-h" tabIndex={-1} ref={title}>
        {heading}
      </h2>
      <p>{about}</p>
      <div className="field">
        <label htmlFor="secret">{label}</label>
        <input id="secret" readOnly value={value} onFocus={(event) => event.target.select()} />
      </div>
      <div className="row">
        <Copy text={value} className="btn primary dense">
          {t('admin.copy')}
        </Copy>
        <button type="button" className="btn dense" onClick={onDone}>
          {t('links.done')}
        </button>
      </div>
    </section>
  );
}
