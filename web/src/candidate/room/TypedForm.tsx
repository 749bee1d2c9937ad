import type { FormEvent, KeyboardEvent, RefObject } from 'react';
import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { actionOf, problemShown, sentenceOf } from './typed';
import type { Typing } from './useTyped';

interface TypedFormProps {
  typing: Typing;
  interviewer: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Text was pasted into it. */
  onPaste: (text: string) => void;
  onClose: () => void;
}

/** The field for an answer that is typed instead of spoken. */
export function TypedForm({ typing, interviewer, field, onPaste, onClose }: TypedFormProps) {
  const { typed, edit, send } = typing;
  const problem = problemShown(typed);

  function pressed(event: KeyboardEvent) {
    const action = actionOf(event.nativeEvent);
    if (action === 'type') return;
    event.preventDefault();
    if (action === 'send') send();
    if (action === 'close') onClose();
  }
  function submitted(event: FormEvent) {
    event.preventDefault();
    send();
    // Pressed with a mouse, the button has taken it.
    field.current?.focus();
  }

  return (
    <form className="typed" id="typed" onSubmit={submitted}>
      <Field
        id="answer"
        label={t('typed.label')}
        hint={t('typed.hint')}
        error={problem && sentenceOf(problem, interviewer)}
        // Not at each key, while a draft is too long.
        errorTold={problem === typed.problem}
      >
        {(control) => (
          <div className="entry">
            <div className="grow" data-text={typed.draft}>
              <textarea
                {...control}
                ref={field}
                rows={1}
                enterKeyHint="send"
                value={typed.draft}
                onChange={(event) => edit(event.target.value)}
                onKeyDown={pressed}
                onPaste={(event) => onPaste(event.clipboardData.getData('text'))}
              />
            </div>
            <button type="submit" className="btn primary">
              {t('typed.send')}
            </button>
          </div>
        )}
      </Field>
    </form>
  );
}
