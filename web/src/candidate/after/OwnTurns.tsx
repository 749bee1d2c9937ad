import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Candidate, Transcript } from '../../api/client';
import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { Notice } from '../../ui/Notice';
import { type Correction, useCorrect } from './requests';

/** So many turns are shown at first: more are a long page. */
const SHOWN_FIRST = 12;

interface OwnTurnsProps {
  token: string;
  candidate: Candidate;
  turns: Transcript['turns'];
  corrections: readonly Correction[];
}

/** All that was said, with a place to put right what was misheard. */
export function OwnTurns({ token, candidate, turns, corrections }: OwnTurnsProps) {
  const [isAll, setAll] = useState(turns.length <= SHOWN_FIRST + 4);
  if (turns.length === 0) return <p>{t('nothingSaid')}</p>;
  return (
    <>
      {/* With fewer rows than that it is not shown whole. */}
      <ol className="turns" data-count={turns.length}>
        {turns.slice(0, isAll ? undefined : SHOWN_FIRST).map((turn, n) => (
          <li className={turn.speaker === 'candidate' ? 'turn you' : 'turn them'} key={`${n}-${turn.at_ms}`}>
            <OwnTurn
              token={token}
              candidate={candidate}
              turn={turn}
              n={n}
              correction={corrections.find((correction) => correction.turn === n)?.text}
            />
          </li>
        ))}
      </ol>
      {!isAll && (
        <div className="row">
          <button type="button" className="btn dense" onClick={() => setAll(true)}>
            {t('after.showAll', { count: turns.length })}
          </button>
        </div>
      )}
    </>
  );
}

interface OwnTurnProps {
  token: string;
  candidate: Candidate;
  turn: Transcript['turns'][number];
  n: number;
  correction: string | undefined;
}

function OwnTurn({ token, candidate, turn, n, correction }: OwnTurnProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const isTheirs = turn.speaker === 'candidate';
  function close() {
    flushSync(() => setOpen(false));
    opener.current?.focus();
  }
  return (
    <div>
      <p className="meta">
        <b>{isTheirs ? t('you') : candidate.interviewer}</b>
        <span lang={candidate.language}>{candidate.stages.find((stage) => stage.id === turn.stage)?.title ?? ''}</span>
        {isTheirs && (
          <button
            type="button"
            className="btn plain dense push"
            ref={opener}
            aria-expanded={isOpen}
            aria-label={t('after.correctTurn', { number: n + 1 })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('after.correct')}
          </button>
        )}
      </p>
      <p className="voice">{turn.cut ? `${turn.text} …` : turn.text}</p>
      {correction !== undefined && (
        <p className="corrected">
          <span className="status ok">{t('after.yourVersion')}</span> <span className="voice">{correction}</span>
        </p>
      )}
      {isOpen && <Fix token={token} n={n} before={correction ?? turn.text} onDone={close} />}
    </div>
  );
}

interface FixProps {
  token: string;
  n: number;
  before: string;
  onDone: () => void;
}

function Fix({ token, n, before, onDone }: FixProps) {
  const id = useId();
  const [text, setText] = useState(before);
  const [isBlank, setBlank] = useState(false);
  const correct = useCorrect(token);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (correct.isPending) return;
    setBlank(!text.trim());
    if (text.trim()) correct.mutate({ turn: n, text: text.trim() }, { onSuccess: onDone });
  }
  return (
    <form className="fix" noValidate onSubmit={submit}>
      <Field
        id={id}
        label={t('after.whatYouSaid')}
        hint={t('after.bothStay')}
        error={isBlank ? t('after.blankCorrection') : undefined}
        errorTold
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={4000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {correct.error && <Notice kind="bad" icon="warn" heading={correct.error.message} told="now" />}
      <div className="row">
        <button type="submit" className="btn dense primary" aria-disabled={correct.isPending || undefined}>
          {correct.isPending ? t('after.saving') : t('after.saveCorrection')}
        </button>
        <button type="button" className="btn plain dense" onClick={onDone}>
          {t('after.leaveIt')}
        </button>
      </div>
    </form>
  );
}
