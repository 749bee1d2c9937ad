import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  type BlueprintFile,
  type BlueprintProblem,
  type BlueprintText,
  checkBlueprint,
  saveBlueprint,
} from '../api/blueprints';
import type { Failure } from '../api/client';
import { kept } from '../launch/kept';
import { t } from '../texts';
import { ofServer } from '../texts/server';

/** A text that somebody writes, and the version that it began from. */
interface Draft {
  based_on: number;
  files: BlueprintFile[];
  reasons: Record<string, string>;
  note: string;
}

/** The drafts by their blueprint's name, over a reload too. */
export const useDrafts = kept<Readonly<Record<string, Draft>>>(
  {},
  { key: 'blueprints.drafts', restore: (drafts) => drafts },
);

/** The text of a blueprint as it is written, what a check found, and how it is saved. */
export function useEditor(newest: BlueprintText) {
  const { name } = newest;
  const client = useQueryClient();
  const [drafts, setDrafts] = useDrafts();
  const fresh: Draft = { based_on: newest.number, files: newest.files, reasons: {}, note: '' };
  const draft = drafts[name] ?? fresh;
  const [problems, setProblems] = useState<BlueprintProblem[]>();
  const [trouble, setTrouble] = useState<string>();
  const [noteError, setNoteError] = useState<string>();
  const [isConflict, setConflict] = useState(false);
  const [busy, setBusy] = useState<'check' | 'save'>();
  const [said, setSaid] = useState('');
  const found = useRef<HTMLHeadingElement>(null);
  /** A version that was saved here, until the page has it. */
  const [saved, setSaved] = useState<number>();

  const change = (part: Partial<Draft>) =>
    setDrafts((drafts) => ({ ...drafts, [name]: { ...(drafts[name] ?? fresh), ...part } }));
  function forget() {
    setDrafts(({ [name]: _, ...others }) => others);
    setProblems(undefined);
    setTrouble(undefined);
    setNoteError(undefined);
    setConflict(false);
  }

  useEffect(() => {
    if (saved === undefined || newest.number < saved) return;
    setSaved(undefined);
    setDrafts(({ [name]: _, ...others }) => others);
  }, [saved, newest.number, name, setDrafts]);

  const reasons = Object.entries(draft.reasons).map(([question, reason]) => ({ question, reason }));

  async function look(): Promise<void> {
    const answer = await checkBlueprint(name, { based_on: draft.based_on, files: draft.files, reasons });
    const told = answer.problems.map((problem) => ({ ...problem, message: ofServer(problem.message) }));
    setProblems(told);
    setSaid(told.length > 0 ? t('blueprints.mistakes', { count: told.length }) : t('blueprints.fine'));
    if (told.length > 0) requestAnimationFrame(() => found.current?.focus());
  }

  async function during(what: 'check' | 'save', work: () => Promise<void>) {
    if (busy) return;
    setBusy(what);
    setTrouble(undefined);
    setSaid('');
    try {
      await work();
    } catch (why) {
      setTrouble((why as Failure).problem?.message ?? String(why));
    } finally {
      setBusy(undefined);
    }
  }

  const check = () => during('check', look);

  const save = (based_on = draft.based_on) =>
    during('save', async () => {
      setNoteError(undefined);
      if (!draft.note.trim()) {
        setNoteError(t('blueprints.noNote'));
        document.getElementById('note')?.focus();
        return;
      }
      try {
        const { number } = await saveBlueprint(name, { based_on, files: draft.files, reasons, note: draft.note });
        setProblems(undefined);
        setConflict(false);
        setSaid(t('blueprints.saved', { number }));
        setSaved(number);
        await client.invalidateQueries({ queryKey: ['blueprints'] });
      } catch (why) {
        const { status, problem } = why as Failure;
        if (status === 409) {
          setConflict(true);
          return void client.invalidateQueries({ queryKey: ['blueprints'] });
        }
        const wrong = problem?.fields.find(({ field }) => field === 'note');
        if (wrong) setNoteError(wrong.message);
        else if (status === 422) await look();
        else throw why;
      }
    });

  const isChanged = draft.files !== newest.files && JSON.stringify(draft.files) !== JSON.stringify(newest.files);
  return {
    draft,
    isChanged,
    problems,
    trouble,
    noteError,
    isConflict,
    busy,
    said,
    found,
    change,
    forget,
    check,
    save,
  };
}
