import { type FormEvent, useState } from 'react';
import type { NotedFacts } from '../../api/contract';
import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { Notice } from '../../ui/Notice';
import { type Shown, shownOf } from '../../ui/noted';
import { clockOf, timeOf } from '../../ui/time';
import { useComment } from './requests';

/** What was noted while the interview went on, as whoever invited them reads it, with a place to say something to it. */
export function NotedCard({ token, noted }: { token: string; noted: NotedFacts }) {
  const facts = shownOf(noted.facts);
  return (
    <section className="card" aria-labelledby="noted-h">
      <h2 id="noted-h">{t('noted.heading')}</h2>
      <p className="soft">{t('noted.about')}</p>
      {facts.length === 0 && <p>{t('noted.nothing')}</p>}
      <ul>
        {facts.map((fact) => (
          <li key={`${fact.at}-${fact.what}`}>
            <span className="num">{timeOf(fact.at)}</span> {wordsOf(fact)}
          </li>
        ))}
      </ul>
      {facts.length > 0 && <CommentForm token={token} given={noted.comment} />}
    </section>
  );
}

function wordsOf(fact: Shown): string {
  switch (fact.what) {
    case 'left':
      return t('noted.left');
    case 'returned':
      return t('noted.returned');
    case 'away':
      return t('noted.leftFor', { time: clockOf(fact.ms) });
    case 'pasted':
      return t('noted.pasted', { count: fact.characters });
  }
}

function CommentForm({ token, given }: { token: string; given: string }) {
  const [text, setText] = useState(given);
  const [isEmpty, setEmpty] = useState(false);
  const comment = useComment(token);
  const isSaved = given !== '' && given === text.trim();
  function submit(event: FormEvent) {
    event.preventDefault();
    if (comment.isPending) return;
    setEmpty(!text.trim());
    if (text.trim()) comment.mutate(text.trim());
  }
  return (
    <form noValidate onSubmit={submit}>
      <Field id="noted" label={t('noted.label')} optional error={isEmpty ? t('noted.empty') : undefined} errorTold>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={2000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {comment.error && <Notice kind="bad" icon="warn" heading={comment.error.message} told="now" />}
      <div className="row">
        <button type="submit" className="btn" aria-disabled={comment.isPending || undefined}>
          {comment.isPending ? t('noted.saving') : t('noted.save')}
        </button>
        <p role="status">{isSaved && <span className="status ok">{t('noted.saved')}</span>}</p>
      </div>
    </form>
  );
}
