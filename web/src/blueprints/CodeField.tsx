import { useEffect, useRef } from 'react';
import { t } from '../texts';

interface CodeFieldProps {
  name: string;
  text: string;
  /** Lines with a mistake. */
  wrong: readonly number[];
  /** A line to go to; a new object each time somebody wants to go there. */
  place: { line: number } | undefined;
  readOnly: boolean;
  onText: (text: string) => void;
}

/**
 * A text with the numbers of its lines. The numbers stand beside a copy of the text behind the field, so that long lines may
 * wrap, and the field is as high as its text.
 */
export function CodeField({ name, text, wrong, place, readOnly, onText }: CodeFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (!place || !field.current) return;
    const lines = field.current.value.split('\n');
    const from = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    field.current.focus({ preventScroll: true });
    field.current.setSelectionRange(from, from + (lines[place.line - 1]?.length ?? 0));
    copy.current?.children[place.line - 1]?.scrollIntoView({ block: 'center' });
  }, [place]);
  return (
    <div className="code">
      <ol aria-hidden="true" ref={copy}>
        {text.split('\n').map((line, index) => (
          <li key={index} className={wrong.includes(index + 1) ? 'wrong' : undefined}>
            {line}
          </li>
        ))}
      </ol>
      <textarea
        ref={field}
        aria-label={t('blueprints.textOf', { name })}
        aria-describedby="wrong-h"
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  );
}
