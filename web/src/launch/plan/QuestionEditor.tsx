import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { checkQuestion, questionAnchor } from './check';
import type { QuestionDraft } from './draft';
import { change } from './order';
import { Rows } from './Rows';
import { useTold } from './useTold';

interface QuestionEditorProps {
  questions: readonly QuestionDraft[];
  /** Whether all that is wrong is told. */
  isAllTold: boolean;
  onQuestions: (questions: readonly QuestionDraft[]) => void;
  say: (text: string) => void;
}

/** The planned questions, in the order in which they are asked. */
export function QuestionEditor({ questions, isAllTold, onQuestions, say }: QuestionEditorProps) {
  return (
    <Rows
      kind="question"
      rows={questions}
      titleOf={({ text }) => text}
      blank={(id): QuestionDraft => ({ id, dropped: false, text: '', priority: 'P1' })}
      onRows={onQuestions}
      say={say}
      fields={(question, number) => (
        <QuestionField
          question={question}
          number={number}
          isAllTold={isAllTold}
          onText={(text) => onQuestions(change(questions, question.id, { text }))}
        />
      )}
      beside={(question, number) => (
        <PriorityField
          question={question}
          number={number}
          onPriority={(priority) => onQuestions(change(questions, question.id, { priority }))}
        />
      )}
    />
  );
}

interface QuestionFieldProps {
  question: QuestionDraft;
  number: number;
  isAllTold: boolean;
  onText: (text: string) => void;
}

function QuestionField({ question, number, isAllTold, onText }: QuestionFieldProps) {
  const { error, onBlur } = useTold(question.text, checkQuestion, isAllTold);
  return (
    <Field id={questionAnchor(question.id)} label={t('plan.question', { number })} error={error}>
      {(props) => (
        <textarea
          {...props}
          rows={2}
          value={question.text}
          onChange={(event) => onText(event.target.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

interface PriorityFieldProps {
  question: QuestionDraft;
  number: number;
  onPriority: (priority: QuestionDraft['priority']) => void;
}

function PriorityField({ question, number, onPriority }: PriorityFieldProps) {
  const options = { P0: t('plan.must'), P1: t('plan.should'), P2: t('plan.may') };
  return (
    <select
      className="dense"
      aria-label={t('plan.priorityOf', { number })}
      value={question.priority}
      onChange={(event) => onPriority(event.target.value as QuestionDraft['priority'])}
    >
      {Object.entries(options).map(([priority, title]) => (
        <option key={priority} value={priority}>
          {title}
        </option>
      ))}
    </select>
  );
}
