import type { PlanDraft } from './draft';
import { QuestionEditor } from './QuestionEditor';
import { TopicEditor } from './TopicEditor';

interface PlanEditorProps {
  planned: 'questions' | 'topics';
  plan: PlanDraft;
  /** Whether all that is wrong is told. */
  isAllTold: boolean;
  onPlan: (plan: PlanDraft) => void;
  say: (text: string) => void;
}

/** The plan, to be changed. */
export function PlanEditor({ planned, plan, isAllTold, onPlan, say }: PlanEditorProps) {
  if (planned === 'questions')
    return (
      <QuestionEditor
        questions={plan.questions}
        isAllTold={isAllTold}
        onQuestions={(questions) => onPlan({ ...plan, questions })}
        say={say}
      />
    );
  return (
    <TopicEditor
      topics={plan.topics}
      isAllTold={isAllTold}
      onTopics={(topics) => onPlan({ ...plan, topics })}
      say={say}
    />
  );
}
