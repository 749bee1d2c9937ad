import { aroundValue } from './value';

/** The question that waits; a value that is read back in it is large, so that a wrong sign is seen. */
export function Asked({ question }: { question: string }) {
  const parts = aroundValue(question);
  if (!parts) return question;
  return (
    <>
      {parts.before}
      <span className="value">{parts.value}</span>
      {parts.after}
    </>
  );
}
