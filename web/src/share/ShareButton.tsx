import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type NewShare, revokeShare, type Share, shareReport, sharesOf } from '../api/shares';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { FieldError } from '../ui/Field';
import { LocalHint } from '../ui/LocalHint';
import { whenOf } from '../ui/time';
import { DAYS, endOf } from './links';

/** Makes links to the report for people without an account, and takes them back. */
export function ShareButton({ id }: { id: string }) {
  const mayAct = useMay('recruiter');
  const [isOpen, setOpen] = useState(false);
  if (!mayAct) return null;
  return (
    <>
      <button type="button" className="btn dense" onClick={() => setOpen(true)}>
        {t('share.share')}
      </button>
      {isOpen && <ShareDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const { data: shares, error } = useQuery(sharesOf(id));
  const [days, setDays] = useState(7);
  const [withDecision, setWithDecision] = useState(false);
  const [made, setMade] = useState<NewShare>();
  const refresh = () => client.invalidateQueries({ queryKey: sharesOf(id).queryKey });
  const making = useMutation({
    mutationFn: () => shareReport(id, { days, with_decision: withDecision }),
    onSuccess: setMade,
    onSettled: refresh,
  });
  const revoking = useMutation({
    mutationFn: (share: string) => revokeShare(id, share),
    onSuccess: (_, share) => made?.share.id === share && setMade(undefined),
    onSettled: refresh,
  });
  const trouble = making.error ?? revoking.error ?? error;
  return (
    <Dialog
      heading={t('share.heading')}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn" data-safe onClick={onClose}>
            {t('links.done')}
          </button>
          <button type="button" className="btn primary" onClick={() => !making.isPending && making.mutate()}>
            {making.isPending ? t('admin.making') : t('share.make')}
          </button>
        </>
      }
    >
      <p>{t('share.about')}</p>
      <fieldset className="field">
        <legend className="legend">{t('share.works')}</legend>
        <div className="seg">
          {DAYS.map((known) => (
            <label key={known}>
              <input type="radio" name="days" checked={days === known} onChange={() => setDays(known)} />
              <span>{t('share.days', { count: known })}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <label className="choice">
        <input type="checkbox" checked={withDecision} onChange={() => setWithDecision(!withDecision)} />
        <span>
          <b>{t('share.withDecision')}</b>
          <br />
          <span className="hint">{t('share.withDecisionAbout')}</span>
        </span>
      </label>
      {trouble && <FieldError id="share-e" message={trouble.message} told />}
      {made && <NewLinkField made={made} />}
      {shares && shares.length > 0 && (
        <ul className="history">
          {shares.map((share) => (
            <ShareRow key={share.id} share={share} onRevoke={() => !revoking.isPending && revoking.mutate(share.id)} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function NewLinkField({ made }: { made: NewShare }) {
  const link = new URL(made.link, location.origin).href;
  return (
    <div className="field" role="status">
      <label htmlFor="share-link">{t('share.link')}</label>
      <p className="hint">{t('share.once')}</p>
      <LocalHint />
      <input id="share-link" readOnly value={link} onFocus={(event) => event.target.select()} />
      <Copy text={link}>{t('admin.copy')}</Copy>
    </div>
  );
}

function ShareRow({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const { made_by, made_at, expires_at, with_decision, views } = share;
  const end = endOf(share, Date.now());
  const words = [
    made_by,
    whenOf(made_at),
    end === 'works' && t('share.until', { when: whenOf(expires_at) }),
    with_decision && t('share.decisionToo'),
    t('share.views', { count: views }),
  ].filter(Boolean);
  return (
    <li className="row">
      <span className="small">{words.join(' · ')}</span>
      {end === 'revoked' && <span className="status">{t('share.revoked')}</span>}
      {end === 'over' && <span className="status">{t('share.over')}</span>}
      {end === 'works' && (
        <button type="button" className="btn plain dense" onClick={onRevoke}>
          {t('share.revoke')} <span className="sr">{whenOf(made_at)}</span>
        </button>
      )}
    </li>
  );
}
