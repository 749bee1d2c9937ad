import { t } from '../../texts';
import { charactersOf } from './documents';
import { LISTS, linesOf, type PlanDraft, type QuestionDraft, type TopicDraft, type TopicList } from './draft';
import { live, type Row } from './order';

/** One thing to mend in a row of a plan. */
export interface Mistake {
  /** The id of the control. */
  anchor: string;
  /** The row, as people read it. */
  row: string;
  message: string;
}

const QUESTIONS_MAX = 40;
const QUESTION_MAX = 500;
const TOPICS_MAX = 12;
const TITLE_MAX = 80;
const LINES_MAX = 10;
const LINE_MAX = 300;

export type TopicPart = TopicList | 'title';

/** The ids of the controls of a plan. */
export const questionAnchor = (id: string) => `question-${id}`;
export const topicAnchor = (id: string, part: TopicPart) => (part === 'title' ? `topic-${id}` : `topic-${id}-${part}`);

export function checkQuestion(text: string): string | undefined {
  const chars = charactersOf(text.trim());
  if (chars === 0) return t('mend.emptyQuestion');
  if (chars > QUESTION_MAX) return t('mend.longLine', { chars, most: QUESTION_MAX });
  return checkAsked(text);
}

export function checkPart(part: TopicPart, text: string): string | undefined {
  switch (part) {
    case 'title':
      return checkTitle(text);
    case 'sub_goals':
      return checkLines(text) ?? checkAsked(text) ?? (linesOf(text).length === 0 ? t('mend.noSubGoal') : undefined);
    case 'probes':
      return checkLines(text) ?? checkAsked(text);
    case 'cues':
    case 'signals':
      return checkLines(text);
  }
}

/** All that has to be mended in the questions, row by row. */
export function mistakesInQuestions(questions: readonly QuestionDraft[]): Mistake[] {
  return live(questions).flatMap(({ id, text }, at) => {
    const message = checkQuestion(text);
    return message ? [{ anchor: questionAnchor(id), row: t('plan.question', { number: at + 1 }), message }] : [];
  });
}

/** All that has to be mended in the topics, row by row. */
export function mistakesInTopics(topics: readonly TopicDraft[]): Mistake[] {
  return live(topics).flatMap((topic, at) =>
    (['title', ...LISTS] as const).flatMap((part) => {
      const message = checkPart(part, topic[part]);
      const row = t('plan.topic', { number: at + 1 });
      return message ? [{ anchor: topicAnchor(topic.id, part), row, message }] : [];
    }),
  );
}

/** The first thing to mend in a plan that is launched; without a plan there is none. */
export function checkPlan(planned: 'questions' | 'topics', plan: PlanDraft | undefined): string | undefined {
  if (!plan) return undefined;
  const count = live<Row>(plan[planned]).length;
  if (planned === 'questions') {
    if (count === 0) return t('mend.noQuestion');
    if (count > QUESTIONS_MAX) return t('mend.manyQuestions', { number: count, most: QUESTIONS_MAX });
    return mistakesInQuestions(plan.questions)[0]?.message;
  }
  if (count === 0) return t('mend.noTopic');
  if (count > TOPICS_MAX) return t('mend.manyTopics', { number: count, most: TOPICS_MAX });
  return mistakesInTopics(plan.topics)[0]?.message;
}

function checkTitle(text: string): string | undefined {
  const chars = charactersOf(text.trim());
  if (chars === 0) return t('mend.emptyTitle');
  if (chars > TITLE_MAX) return t('mend.longLine', { chars, most: TITLE_MAX });
  return undefined;
}

function checkLines(text: string): string | undefined {
  const lines = linesOf(text);
  if (lines.length > LINES_MAX) return t('mend.manyLines', { number: lines.length, most: LINES_MAX });
  const long = lines.find((line) => charactersOf(line) > LINE_MAX);
  if (long) return t('mend.longListLine', { line: startOf(long), chars: charactersOf(long), most: LINE_MAX });
  return undefined;
}

/** The interviewer may say these lines as they stand. */
function checkAsked(text: string): string | undefined {
  const unasked = linesOf(text).find((line) => !/[?？؟]$/.test(line));
  return unasked && t('mend.notAsked', { line: startOf(unasked) });
}

function startOf(line: string): string {
  const characters = [...line];
  return characters.length > 40 ? `${characters.slice(0, 40).join('').trim()}…` : line;
}
