import { useEffect, useRef } from 'react';
import { repliesOf, type Stream } from './captions';
import { countOf, isCounted, type Question, questionOf } from './question';

interface QuestionProps {
  /** The question that waited before the room was joined, once it is known. */
  before: Question | undefined;
  streams: readonly Stream[];
  /** The candidate's identity. */
  candidate: string;
  /** How often the room was joined again: the streams of before are gone then. */
  rejoins: number;
  /** `vivavoce.stage`, `vivavoce.progress` and `vivavoce.question`, the last that were heard of. */
  stage: string | undefined;
  progress: string | undefined;
  told: string | undefined;
  /** Whether the interviewer speaks. */
  isSpeaking: boolean;
  /** A new question waits. */
  onQuestion: (question: Question) => void;
}

/**
 * The question that waits. An interviewer who tells it (`vivavoce.question`, the whole of it, empty for none) knows
 * best; else it is found in the captions.
 */
export function useQuestion(props: QuestionProps): string | undefined {
  const { streams, candidate, rejoins, stage, told, onQuestion } = props;
  const replies = repliesOf(streams, candidate);
  const stageOf = useStageOf(replies, stage);
  const counted = useCounted(props);
  const last = useRef<Question>(undefined);
  const base = useRef<{ rejoins: number; question: Question | undefined }>({ rejoins, question: undefined });
  if (base.current.rejoins !== rejoins) base.current = { rejoins, question: last.current };

  const before = base.current.question ?? props.before;
  const going = props.isSpeaking ? replies.at(-1) : undefined;
  const found = questionOf({ before, streams, candidate, stageOf, counted, going });
  // A line that is cut takes the captions along, and not the question.
  const question = told === undefined ? (found ?? last.current) : told ? { text: told, stage } : undefined;
  last.current = question ?? last.current;

  const remember = useRef(onQuestion);
  remember.current = onQuestion;
  const { text, stage: of } = question ?? {};
  useEffect(() => {
    if (text) remember.current({ text, stage: of });
  }, [text, of]);
  return text;
}

/** The replies whose question was counted: the last one there was, each time the count has grown. */
function useCounted({ streams, candidate, stage, progress }: QuestionProps): ReadonlySet<string> {
  const counted = useRef(new Set<string>());
  const before = useRef<ReturnType<typeof countOf>>(undefined);
  const now = countOf(stage, progress);
  const reply = repliesOf(streams, candidate).at(-1);
  if (before.current === undefined) {
    // What was counted before the page was opened is of no reply that it knows.
    if (stage !== undefined) before.current = now;
  } else if (isCounted(before.current, now) && reply) {
    counted.current.add(reply);
    before.current = now;
  } else if (now.stage !== before.current.stage) before.current = now;
  return counted.current;
}

/** In which stage each reply of the interviewer's began. */
function useStageOf(replies: readonly string[], stage: string | undefined) {
  const stages = useRef(new Map<string, string | undefined>());
  for (const reply of replies) if (!stages.current.has(reply)) stages.current.set(reply, stage);
  return (reply: string) => stages.current.get(reply);
}
