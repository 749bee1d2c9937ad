import { useState } from 'react';
import { t } from '../../texts';
import { Dialog } from '../../ui/Dialog';
import { Notice } from '../../ui/Notice';
import { useDeletion } from './requests';

interface DataCardProps {
  token: string;
  /** Whether they have asked for it already. */
  isRequested: boolean;
  /** All that was said, as text. */
  copy: string;
}

/** A copy to keep, and the wish to have all of it deleted. */
export function DataCard({ token, isRequested, copy }: DataCardProps) {
  const [isAsked, setAsked] = useState(false);
  const deletion = useDeletion(token);
  return (
    <section className="card" aria-labelledby="data-h">
      <h2 id="data-h">{t('data.heading')}</h2>
      <p className="soft">{t('data.about')}</p>
      {isRequested && <Notice kind="ok" icon="check" heading={t('data.requested')} told="soon" />}
      {deletion.error && <Notice kind="bad" icon="warn" heading={deletion.error.message} told="now" />}
      <div className="row">
        <button type="button" className="btn" onClick={() => download(t('data.file'), copy)}>
          {t('data.download')}
        </button>
        {!isRequested && (
          <button
            type="button"
            className="btn danger"
            aria-disabled={deletion.isPending || undefined}
            onClick={() => setAsked(true)}
          >
            {deletion.isPending ? t('data.requesting') : t('data.delete')}
          </button>
        )}
      </div>
      {isAsked && (
        <Dialog
          heading={t('data.sure')}
          onSafe={() => setAsked(false)}
          buttons={
            <>
              <button type="button" className="btn primary" data-safe onClick={() => setAsked(false)}>
                {t('data.keep')}
              </button>
              <button
                type="button"
                className="btn danger push"
                onClick={() => {
                  setAsked(false);
                  deletion.mutate();
                }}
              >
                {t('data.askForIt')}
              </button>
            </>
          }
        >
          <p>{t('data.sureIs')}</p>
        </Dialog>
      )}
    </section>
  );
}

function download(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
