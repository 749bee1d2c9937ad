import { useEffect, useRef } from 'react';
import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { checkPart, type TopicPart, topicAnchor } from './check';
import type { TopicDraft } from './draft';
import { change } from './order';
import { Rows } from './Rows';
import { useTold } from './useTold';

interface TopicEditorProps {
  topics: readonly TopicDraft[];
  /** Whether all that is wrong is told. */
  isAllTold: boolean;
  onTopics: (topics: readonly TopicDraft[]) => void;
  say: (text: string) => void;
}

/** The planned topics, in the order in which they come. */
export function TopicEditor({ topics, isAllTold, onTopics, say }: TopicEditorProps) {
  return (
    <Rows
      kind="topic"
      rows={topics}
      titleOf={({ title }) => title}
      blank={(id): TopicDraft => ({ id, dropped: false, title: '', sub_goals: '', probes: '', cues: '', signals: '' })}
      onRows={onTopics}
      say={say}
      fields={(topic, number) => (
        <TopicFields
          topic={topic}
          number={number}
          isAllTold={isAllTold}
          onPart={(part, text) => onTopics(change(topics, topic.id, { [part]: text }))}
        />
      )}
    />
  );
}

interface TopicFieldsProps {
  topic: TopicDraft;
  number: number;
  isAllTold: boolean;
  onPart: (part: TopicPart, text: string) => void;
}

function TopicFields(props: TopicFieldsProps) {
  const { topic, number, isAllTold } = props;
  const hints = useRef<HTMLDetailsElement>(null);
  const isHintWrong = isAllTold && (['cues', 'signals'] as const).some((part) => checkPart(part, topic[part]));
  // Opened for what is wrong in it, and not closed under the hand of whoever mends it.
  useEffect(() => {
    if (isHintWrong && hints.current) hints.current.open = true;
  }, [isHintWrong]);
  return (
    <>
      <PartField {...props} part="title" label={t('plan.topic', { number })} />
      <PartField {...props} part="sub_goals" label={t('plan.subGoals')} hint={t('plan.subGoalsHint')} rows={3} />
      <PartField {...props} part="probes" label={t('plan.probes')} hint={t('plan.subGoalsHint')} rows={2} optional />
      <details ref={hints}>
        <summary>
          {t('plan.hints')} <span className="opt">{t('optional')}</span>
        </summary>
        <div className="stack">
          <PartField {...props} part="cues" label={t('plan.cues')} hint={t('plan.oneALine')} rows={2} />
          <PartField {...props} part="signals" label={t('plan.signals')} hint={t('plan.oneALine')} rows={2} />
        </div>
      </details>
    </>
  );
}

interface PartFieldProps extends TopicFieldsProps {
  part: TopicPart;
  label: string;
  hint?: string;
  optional?: boolean;
  /** How high a field of several lines is; without it the field has one. */
  rows?: number;
}

function PartField({ topic, number, isAllTold, onPart, part, label, hint, optional, rows }: PartFieldProps) {
  const { error, onBlur } = useTold(topic[part], (text) => checkPart(part, text), isAllTold);
  const value = {
    value: topic[part],
    onChange: (event: { target: { value: string } }) => onPart(part, event.target.value),
    onBlur,
  };
  const isTitle = rows === undefined;
  return (
    <Field
      id={topicAnchor(topic.id, part)}
      label={isTitle ? label : <PartLabel label={label} number={number} />}
      hint={hint}
      optional={optional}
      error={error}
    >
      {(props) => (isTitle ? <input {...props} {...value} /> : <textarea {...props} {...value} rows={rows} />)}
    </Field>
  );
}

/** Who does not see the page is told which topic a field belongs to. */
function PartLabel({ label, number }: { label: string; number: number }) {
  return (
    <>
      {label}
      <span className="sr">{t('plan.ofTopic', { number })}</span>
    </>
  );
}
