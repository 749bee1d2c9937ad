import type { QuestionProgress, Transcript } from '../api/client';
import { t } from '../texts';
import { askedNow, countsOf, originOf, PRIORITIES, statusOf, type Thread, threadsOf } from './backlog';

interface BacklogProps {
  questions: readonly QuestionProgress[];
  turns: Transcript['turns'];
  isOver: boolean;
}

/** The planned questions, and how far each is: follow-ups stand below what they follow up. */
export function Backlog({ questions, turns, isOver }: BacklogProps) {
  const now = isOver ? undefined : askedNow(questions, turns);
  return (
    <section className="card backlog" aria-labelledby="backlog-h">
      <h2 id="backlog-h">{t('progress.questions')}</h2>
      <p className="soft">{countsOf(questions)}</p>
      <Threads threads={threadsOf(questions)} now={now} />
    </section>
  );
}

function Threads({ threads, now }: { threads: readonly Thread[]; now: string | undefined }) {
  return (
    <ol>
      {threads.map((thread) => (
        <li key={thread.question.id}>
          <Question thread={thread} isNow={thread.question.id === now} />
          {thread.followUps.length > 0 && <Threads threads={thread.followUps} now={now} />}
        </li>
      ))}
    </ol>
  );
}

function Question({ thread, isNow }: { thread: Thread; isNow: boolean }) {
  const { question } = thread;
  const [word, shape] = statusOf(question.status, isNow);
  return (
    <article className="question" data-status={question.status} aria-current={isNow || undefined}>
      <div className="meta">
        <span className={shape}>{word}</span>
        <span className="tag">{PRIORITIES[question.priority]}</span>
      </div>
      <h3>{question.text}</h3>
      <p className="small soft">{originOf(thread)}</p>
      {question.asked_as && question.asked_as !== question.text && (
        <p className="small">{t('progress.askedAs', { words: question.asked_as })}</p>
      )}
      <Answer question={question} />
    </article>
  );
}

/** Folded: the list stays short enough to read. */
function Answer({ question: { answer, facts, confidence } }: { question: QuestionProgress }) {
  if (!answer && facts.length === 0) return null;
  return (
    <details>
      <summary>
        {facts.length > 0 ? t('progress.answerWithFacts', { count: facts.length }) : t('progress.answer')}
      </summary>
      {answer ? <p className="voice">{answer}</p> : <p className="soft">{t('progress.noWords')}</p>}
      {facts.length > 0 && (
        <ul>
          {facts.map((fact, n) => (
            <li key={`${n}-${fact}`}>{fact}</li>
          ))}
        </ul>
      )}
      {typeof confidence === 'number' && (
        <p className="small soft">{t('progress.sure', { percent: Math.round(confidence * 100) })}</p>
      )}
    </details>
  );
}
