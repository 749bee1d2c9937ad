import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Opening } from '../api/contract';
import { openingOf, previewOpening, setOpeningState } from '../api/openings';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Empty, Loading } from '../ui/Frame';
import { Menu, MenuItem } from '../ui/Menu';
import { Notice } from '../ui/Notice';
import { openLater } from '../ui/openLater';
import { draftOf, NEW, useDrafts } from './draft';
import { Simulate } from './Simulate';
import { OPENING_STATES } from './words';

interface OpeningFrameProps {
  id: string;
  /** Which of its pages. */
  place: 'candidates' | 'add' | 'compare' | 'about';
  children: (opening: Opening) => ReactNode;
}

/** Head and navigation of an opening's pages. */
export function OpeningFrame({ id, place, children }: OpeningFrameProps) {
  const { data: opening, error } = useQuery(openingOf(id));
  const title = opening?.form.title ?? t('openings.opening');
  return (
    <RecruiterFrame title={t('opening.page', { place: PLACES[place], title })} page="wide">
      {opening ? (
        <>
          <Head opening={opening} place={place} />
          {children(opening)}
        </>
      ) : error ? (
        <Empty heading={t('openings.notLoaded')}>
          <p>{error.message}</p>
          <Link href="/openings">{t('openings.all')}</Link>
        </Empty>
      ) : (
        <Loading />
      )}
    </RecruiterFrame>
  );
}

const PLACES: Record<OpeningFrameProps['place'], string> = {
  candidates: t('opening.candidates'),
  add: t('opening.add'),
  compare: t('opening.compare'),
  about: t('opening.about'),
};

function Head({ opening, place }: { opening: Opening; place: OpeningFrameProps['place'] }) {
  const { id, form, state } = opening;
  const mayAct = useMay('recruiter');
  const [trouble, setTrouble] = useState<string>();
  const isOpen = state === 'open';
  const places = [
    ['candidates', `/openings/${id}`, PLACES.candidates],
    ['compare', `/openings/${id}/compare`, PLACES.compare],
    ['about', `/openings/${id}/about`, PLACES.about],
  ] as const;
  return (
    <>
      <div className="head">
        <div>
          <p className="small">
            <Link href="/openings">{t('frame.openings')}</Link>
          </p>
          <h1>{form.title}</h1>
          <p>
            {[form.role, form.level].join(' · ')}{' '}
            <span className={isOpen ? 'status ok' : 'status'}>{OPENING_STATES[state]}</span>
          </p>
        </div>
        {mayAct && (
          <div className="row fit">
            {isOpen && place !== 'add' && (
              <Link className="btn primary" href={`/openings/${id}/add`}>
                {t('opening.add')}
              </Link>
            )}
            <Preview id={id} onTrouble={setTrouble} />
            <Simulate id={id} />
            <OpeningMenu opening={opening} onTrouble={setTrouble} />
          </div>
        )}
      </div>
      {trouble && (
        <Notice kind="bad" icon="warn" heading={t('opening.notDone')} told="now">
          <p>{trouble}</p>
        </Notice>
      )}
      <nav className="places" aria-label={t('opening.places')}>
        {places.map(([name, href, word]) => (
          <Link key={name} href={href} aria-current={name === place ? 'page' : undefined}>
            {word}
          </Link>
        ))}
      </nav>
    </>
  );
}

interface ActProps {
  onTrouble: (why: string | undefined) => void;
}

/** Opens the interview as a candidate sees it; it is in no list, and is deleted after a day. */
function Preview({ id, onTrouble }: ActProps & { id: string }) {
  const making = useMutation({
    mutationFn: () => openLater(async () => (await previewOpening(id)).link),
    onMutate: () => onTrouble(undefined),
    onError: ({ message }) => onTrouble(message),
  });
  return (
    <button
      type="button"
      className="btn"
      title={t('opening.previewHint')}
      onClick={() => !making.isPending && making.mutate()}
    >
      {making.isPending ? t('opening.previewing') : t('opening.preview')}
    </button>
  );
}

function OpeningMenu({ opening, onTrouble }: ActProps & { opening: Opening }) {
  const { id, form, state } = opening;
  const client = useQueryClient();
  const [, go] = useLocation();
  const [, setDrafts] = useDrafts();
  const turning = useMutation({
    mutationFn: () => setOpeningState(id, state === 'open' ? 'closed' : 'open'),
    onMutate: () => onTrouble(undefined),
    onSuccess: (opening) => client.setQueryData(openingOf(id).queryKey, opening),
    onError: ({ message }) => onTrouble(message),
  });

  function duplicate() {
    const draft = draftOf({ ...form, title: t('opening.copyOf', { title: form.title }) });
    setDrafts((drafts) => ({ ...drafts, [NEW]: { draft, base: null, changed_at: Date.now() } }));
    go('/openings/new');
  }

  return (
    <Menu button={t('action.dots')} label={t('action.more', { name: form.title })} className="btn plain">
      <MenuItem onDo={() => go(`/openings/${id}/edit`)}>{t('opening.edit')}</MenuItem>
      <MenuItem onDo={duplicate}>{t('opening.duplicate')}</MenuItem>
      <MenuItem onDo={() => turning.mutate()}>{state === 'open' ? t('opening.close') : t('opening.reopen')}</MenuItem>
    </Menu>
  );
}
