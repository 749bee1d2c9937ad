import { useEffect, useRef, useState } from 'react';
import { language as pageLanguage, t } from '../../texts';
import type { Caption } from './captions';

interface CaptionsProps {
  captions: readonly Caption[];
  /** In which they speak. */
  language: string;
  interviewer: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Whether a screen reader reads them: who types may not listen. */
  areRead: boolean;
}

/** Both sides as text. It scrolls by itself only while the reader is at its end. */
export function Captions({ captions, language, interviewer, open, onOpen, areRead }: CaptionsProps) {
  const [atEnd, setAtEnd] = useState(true);
  const log = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new captions are what it scrolls for.
  useEffect(() => {
    if (atEnd) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [captions, atEnd, open]);

  return (
    <section className="captions" aria-labelledby="captions-h">
      <div className="row">
        <h2 id="captions-h">{t('room.captions')}</h2>
        <button
          type="button"
          className="btn plain dense push"
          aria-expanded={open}
          aria-controls="log"
          onClick={() => onOpen(!open)}
        >
          {open ? t('room.hideCaptions') : t('room.showCaptions')}
        </button>
      </div>
      {open && (
        <div
          className="log"
          id="log"
          role="log"
          aria-live={areRead ? 'polite' : 'off'}
          aria-labelledby="captions-h"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          ref={log}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
            setAtEnd(scrollHeight - scrollTop - clientHeight < 24)
          }
        >
          {captions.length === 0 && <span className="soft">{t('room.noCaptions')}</span>}
          {captions.map((caption) => (
            <p lang={language} className={caption.speaker === 'candidate' ? 'you' : 'them'} key={caption.key}>
              <b lang={pageLanguage()}>{caption.speaker === 'candidate' ? t('you') : interviewer}</b> {caption.said}{' '}
              {caption.partial && <span className="partial">{caption.partial}</span>}
            </p>
          ))}
        </div>
      )}
      {open && !atEnd && (
        <button type="button" className="btn dense" onClick={() => setAtEnd(true)}>
          {t('room.newest')}
        </button>
      )}
    </section>
  );
}
