import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { t } from '../texts';

interface FrameProps {
  /** The document's title. */
  title: string;
  /** Where the name in the bar leads. */
  home?: string;
  /** What stands in the bar beside the name. */
  about?: ReactNode;
  /** Right side of the bar. */
  tools?: ReactNode;
  /** The page's own class. */
  page: string;
  /** Below the content, in reach all the time. */
  dock?: ReactNode;
  children: ReactNode;
}

/** Bar, content and dock of every page. */
export function Frame({ title, home, about, tools, page, dock, children }: FrameProps) {
  useEffect(() => {
    document.title = t('title', { page: title });
  }, [title]);
  return (
    <>
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <header className="topbar">
        <div>
          {home ? (
            <Link className="brand" href={home}>
              <Mark /> {t('brand')}
            </Link>
          ) : (
            <span className="brand">
              <Mark /> {t('brand')}
            </span>
          )}
          {about && <span className="small soft">{about}</span>}
          {tools}
        </div>
      </header>
      <main id="main" className={`page ${page}`} tabIndex={-1}>
        {children}
      </main>
      {dock}
    </>
  );
}

/** A page that has nothing to show, and says why. */
export function Empty({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h1>{heading}</h1>
      {children}
    </div>
  );
}

/** Grey bars in place of what is being loaded. */
export function Loading() {
  return (
    <div className="card stack" aria-busy="true">
      <p className="sr" role="status">
        {t('loading')}
      </p>
      <span className="ghost" />
      <span className="ghost" />
      <span className="ghost" />
    </div>
  );
}

function Mark() {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <path d="M3 10v4M7.5 6.5v11M12 9v6" />
      <path d="M16.5 12h.01M21 12h.01" opacity=".75" />
    </svg>
  );
}
