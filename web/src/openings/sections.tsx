import { useQuery } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { Link } from 'wouter';
import type { Need, Wording } from '../api/contract';
import * as queries from '../api/queries';
import { useSession } from '../frame/SignedIn';
import { BlueprintField } from '../launch/BlueprintField';
import { PaperFile } from '../launch/PaperFile';
import { change, live } from '../launch/plan/order';
import { Rows } from '../launch/plan/Rows';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import {
  ANSWER_MAX,
  CRITERIA_MAX,
  criterionAnchor,
  JOB_DESCRIPTION_MAX,
  KNOWN_MAX,
  knownAnchor,
  LINE_MAX,
  ownAnchor,
  QUESTIONS_MAX,
  TEXT_MAX,
} from './check';
import { CheckField, ChoiceField, TextField } from './fields';
import { useFieldTools } from './useEditor';
import { LABELS, NEEDS, REPORT_FOR, WORDINGS } from './words';

const LENGTHS = [10, 15, 20, 25, 30, 45, 60, 90, 120];
const LINK_DAYS = [1, 3, 7, 14, 30, 60, 90];
const RETENTIONS = [30, 90, 180, 365, 730];

/** What the role is, and for whom. */
export function RoleSection() {
  const { draft, change } = useFieldTools();
  const { data: choices } = useQuery(queries.roles);
  return (
    <section className="card" aria-labelledby="role-h">
      <h2 id="role-h">{t('editor.roleHeading')}</h2>
      <div className="stack">
        <TextField
          anchor="title"
          label={LABELS.title}
          hint={t('editor.titleHint')}
          value={draft.title}
          onText={(title) => change({ title })}
          most={LINE_MAX}
        />
        <div className="pair">
          <TextField
            anchor="role"
            label={LABELS.role}
            value={draft.role}
            onText={(role) => change({ role })}
            most={LINE_MAX}
            list="roles"
          />
          <ChoiceField
            anchor="level"
            label={LABELS.level}
            value={draft.level}
            choices={(choices?.levels ?? []).map(({ name, title }) => [name, ofServer(title)] as const)}
            onChoice={(level) => change({ level: level ?? '' })}
          />
        </div>
        <datalist id="roles">
          {choices?.roles.map((role) => (
            <option key={role} value={role} />
          ))}
        </datalist>
      </div>
    </section>
  );
}

/** What the interviewer knows of the job. */
export function JobSection() {
  const { draft, change } = useFieldTools();
  const { real_model } = useSession();
  return (
    <section className="card" aria-labelledby="job-h">
      <h2 id="job-h">{LABELS.job_description}</h2>
      <TextField
        anchor="job_description"
        label={t('editor.jobText')}
        hint={real_model ? t('launch.resumeHint') : t('editor.scriptedPaper')}
        optional
        value={draft.job_description}
        onText={(job_description) => change({ job_description })}
        most={JOB_DESCRIPTION_MAX}
        rows={6}
      >
        <PaperFile
          id="job_description"
          label={LABELS.job_description}
          text={draft.job_description}
          onText={(job_description) => change({ job_description })}
        />
      </TextField>
    </section>
  );
}

/** Which interview, and how long. */
export function InterviewSection() {
  const { draft, change, errorOf } = useFieldTools();
  const { data: blueprints } = useQuery(queries.blueprints);
  // Documents of a project belong to one interview; its plan is made where it is launched.
  const offered = blueprints?.filter(({ planned, name }) => planned === 'nothing' || name === draft.blueprint);
  return (
    <section className="card" aria-labelledby="interview-h">
      <h2 id="interview-h">{t('launch.interview')}</h2>
      <div className="stack">
        <BlueprintField
          blueprints={offered}
          chosen={draft.blueprint}
          described={Boolean(draft.job_description.trim())}
          error={errorOf('blueprint')}
          onChoose={(blueprint) => change({ blueprint })}
        />
        <p className="hint">
          <Trans i18nKey="editor.blueprintHint" components={{ one: <Link href="/launch" /> }} />
        </p>
        {blueprints?.some(({ name }) => name === draft.blueprint) && (
          <p className="small">
            <Link href={`/blueprints/${draft.blueprint}`}>{t('blueprints.openIt')}</Link>
          </p>
        )}
        <ChoiceField
          anchor="length_min"
          label={LABELS.length_min}
          hint={t('editor.lengthHint')}
          value={draft.length_min}
          choices={[
            [null, t('editor.asBlueprint')],
            ...LENGTHS.map((minutes) => [minutes, t('editor.minutes', { count: minutes })] as const),
          ]}
          onChoice={(length_min) => change({ length_min })}
        />
      </div>
    </section>
  );
}

function Heading({ id, label, count, most }: { id: string; label: string; count: number; most: number }) {
  return (
    <h2 id={id} tabIndex={-1}>
      {label} <span className="opt num">{t('editor.optionalOf', { count, most })}</span>
    </h2>
  );
}

/** Questions of their own. */
export function QuestionsSection() {
  const { draft, change: setDraft, say, errorOf } = useFieldTools();
  const { questions } = draft;
  return (
    <section className="card" aria-labelledby="questions">
      <Heading id="questions" label={LABELS.questions} count={live(questions).length} most={QUESTIONS_MAX} />
      <p className="small soft">{t('editor.questionsHint')}</p>
      <Rows
        kind="own"
        rows={questions}
        most={QUESTIONS_MAX}
        titleOf={({ text }) => text}
        blank={(id) => ({ id, dropped: false, text: '', wording: 'verbatim' as Wording, follow_ups: 1 })}
        onRows={(questions) => setDraft({ questions })}
        say={say}
        fields={(row, number) => (
          <>
            <TextField
              anchor={ownAnchor(row.id)}
              label={t('plan.question', { number })}
              value={row.text}
              onText={(text) => setDraft({ questions: change(questions, row.id, { text }) })}
              most={TEXT_MAX}
              rows={2}
            />
            {(row.reason !== undefined || errorOf(ownAnchor(row.id, 'reason'))) && (
              <TextField
                anchor={ownAnchor(row.id, 'reason')}
                label={<Within label={t('editor.reason')} of={t('plan.aQuestion', { number })} />}
                hint={t('editor.reasonHint')}
                value={row.reason ?? ''}
                onText={(reason) => setDraft({ questions: change(questions, row.id, { reason }) })}
                most={TEXT_MAX}
                rows={2}
              />
            )}
            <div className="row beside">
              <ChoiceField<Wording>
                anchor={`own-${row.id}-wording`}
                label={<Within label={t('editor.sayIt')} of={t('plan.aQuestion', { number })} />}
                value={row.wording}
                choices={(['verbatim', 'guide'] as const).map((wording) => [wording, WORDINGS[wording]] as const)}
                onChoice={(wording) => wording && setDraft({ questions: change(questions, row.id, { wording }) })}
              />
              <ChoiceField<number>
                anchor={`own-${row.id}-follow`}
                label={<Within label={t('editor.followUps')} of={t('plan.aQuestion', { number })} />}
                value={row.follow_ups}
                choices={[0, 1, 2, 3].map((n) => [n, n === 0 ? t('editor.none') : t('editor.upTo', { n })] as const)}
                onChoice={(follow_ups) =>
                  setDraft({ questions: change(questions, row.id, { follow_ups: follow_ups ?? 0 }) })
                }
              />
            </div>
          </>
        )}
      />
    </section>
  );
}

/** What the report looks for. */
export function CriteriaSection() {
  const { draft, change: setDraft, say } = useFieldTools();
  const { real_model } = useSession();
  const { criteria } = draft;
  return (
    <section className="card" aria-labelledby="criteria">
      <Heading id="criteria" label={LABELS.criteria} count={live(criteria).length} most={CRITERIA_MAX} />
      <p className="small soft">{real_model ? t('editor.criteriaHint') : t('editor.criteriaScripted')}</p>
      <Rows
        kind="criterion"
        rows={criteria}
        most={CRITERIA_MAX}
        titleOf={({ name }) => name}
        blank={(id) => ({ id, dropped: false, name: '', about: '', priority: 'should' as Need, weight: 3 })}
        onRows={(criteria) => setDraft({ criteria })}
        say={say}
        fields={(row, number) => (
          <>
            <div className="criterion">
              <TextField
                anchor={criterionAnchor(row.id, 'name')}
                label={t('editor.criterion', { number })}
                value={row.name}
                onText={(name) => setDraft({ criteria: change(criteria, row.id, { name }) })}
                most={LINE_MAX}
              />
              <ChoiceField<Need>
                anchor={`criterion-${row.id}-need`}
                label={<Within label={t('editor.priority')} of={t('editor.aCriterion', { number })} />}
                value={row.priority}
                choices={(['must', 'should', 'nice'] as const).map((need) => [need, NEEDS[need]] as const)}
                onChoice={(priority) => priority && setDraft({ criteria: change(criteria, row.id, { priority }) })}
              />
              <ChoiceField<number>
                anchor={`criterion-${row.id}-weight`}
                label={<Within label={t('editor.weight')} of={t('editor.aCriterion', { number })} />}
                value={row.weight}
                choices={[1, 2, 3, 4, 5].map((n) => [n, String(n)] as const)}
                onChoice={(weight) => setDraft({ criteria: change(criteria, row.id, { weight: weight ?? 1 }) })}
              />
            </div>
            <TextField
              anchor={criterionAnchor(row.id, 'about')}
              label={<Within label={t('editor.shows')} of={t('editor.aCriterion', { number })} />}
              optional
              value={row.about}
              onText={(about) => setDraft({ criteria: change(criteria, row.id, { about }) })}
              most={TEXT_MAX}
            />
          </>
        )}
      />
    </section>
  );
}

/** What candidates who ask may be told. */
export function KnowledgeSection() {
  const { draft, change: setDraft, say } = useFieldTools();
  const { knowledge } = draft;
  return (
    <section className="card" aria-labelledby="knowledge">
      <Heading id="knowledge" label={LABELS.knowledge} count={live(knowledge).length} most={KNOWN_MAX} />
      <p className="small soft">{t('editor.knowledgeHint')}</p>
      <Rows
        kind="known"
        rows={knowledge}
        most={KNOWN_MAX}
        titleOf={({ question }) => question}
        blank={(id) => ({ id, dropped: false, question: '', answer: '' })}
        onRows={(knowledge) => setDraft({ knowledge })}
        say={say}
        fields={(row, number) => (
          <>
            <TextField
              anchor={knownAnchor(row.id, 'question')}
              label={t('editor.theyAsk', { number })}
              value={row.question}
              onText={(question) => setDraft({ knowledge: change(knowledge, row.id, { question }) })}
              most={TEXT_MAX}
            />
            <TextField
              anchor={knownAnchor(row.id, 'answer')}
              label={<Within label={t('editor.weSay')} of={t('editor.anAnswer', { number })} />}
              value={row.answer}
              onText={(answer) => setDraft({ knowledge: change(knowledge, row.id, { answer }) })}
              most={ANSWER_MAX}
              rows={2}
            />
          </>
        )}
      />
    </section>
  );
}

/** What is kept and for how long, and what the candidate gets. */
export function PrivacySection() {
  const { draft, change } = useFieldTools();
  const { records } = useSession();
  return (
    <section className="card" aria-labelledby="privacy-h">
      <h2 id="privacy-h">{t('editor.privacy')}</h2>
      <div className="stack">
        <CheckField
          anchor="recording"
          checked={draft.recording}
          onCheck={(recording) => change({ recording })}
          label={LABELS.recording}
          hint={t('editor.recordingHint')}
          unable={records ? undefined : t('editor.cannotRecord')}
        />
        <CheckField
          anchor="feedback"
          checked={draft.feedback}
          onCheck={(feedback) => change({ feedback })}
          label={LABELS.feedback}
          hint={t('gives.practiceHint')}
        />
        <ChoiceField
          anchor="candidate_report"
          label={LABELS.candidate_report}
          value={draft.candidate_report}
          choices={(['nobody', 'candidate', 'candidate_with_levels'] as const).map(
            (who) => [who, REPORT_FOR[who]] as const,
          )}
          onChoice={(candidate_report) => change({ candidate_report: candidate_report ?? 'nobody' })}
        />
        <CheckField
          anchor="integrity"
          checked={draft.integrity === 'facts'}
          onCheck={(isNoted) => change({ integrity: isNoted ? 'facts' : 'off' })}
          label={LABELS.integrity}
          hint={t('editor.integrityHint')}
        />
        <div className="pair">
          <ChoiceField
            anchor="link_days"
            label={LABELS.link_days}
            value={draft.link_days}
            choices={LINK_DAYS.map((days) => [days, t('editor.days', { count: days })] as const)}
            onChoice={(link_days) => change({ link_days: link_days ?? 7 })}
          />
          <ChoiceField
            anchor="attempts"
            label={LABELS.attempts}
            hint={t('editor.attemptsHint')}
            value={draft.attempts}
            choices={[1, 2, 3, 4, 5].map((n) => [n, String(n)] as const)}
            onChoice={(attempts) => change({ attempts: attempts ?? 1 })}
          />
          <ChoiceField
            anchor="retention_days"
            label={LABELS.retention_days}
            value={draft.retention_days}
            choices={[
              [null, t('editor.untilDeleted')],
              ...RETENTIONS.map((days) => [days, t('editor.daysAfter', { count: days })] as const),
            ]}
            onChoice={(retention_days) => change({ retention_days })}
          />
        </div>
        <TextField
          anchor="contact"
          label={LABELS.contact}
          hint={t('editor.contactHint')}
          optional
          value={draft.contact}
          onText={(contact) => change({ contact })}
          most={TEXT_MAX}
        />
        <TextField
          anchor="next"
          label={LABELS.next}
          hint={t('editor.afterHint')}
          optional
          value={draft.next}
          onText={(next) => change({ next })}
          most={ANSWER_MAX}
          rows={2}
        />
      </div>
    </section>
  );
}

/** Who does not see the page is told which row a field belongs to. */
function Within({ label, of }: { label: string; of: string }) {
  return (
    <>
      {label}
      <span className="sr">{t('editor.within', { of })}</span>
    </>
  );
}
