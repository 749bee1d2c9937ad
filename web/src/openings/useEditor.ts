import { useQueryClient } from '@tanstack/react-query';
import { createContext, type FormEvent, use, useRef, useState } from 'react';
import type { Failure } from '../api/client';
import type { Opening, OpeningForm } from '../api/contract';
import { changeOpening, makeOpening, openingOf } from '../api/openings';
import type { Mend } from '../ui/ErrorSummary';
import { mendsOf, mistakesIn } from './check';
import { type Draft, draftOf, formOf, isSame, type KeptDraft, NEW, useDrafts } from './draft';

/** What the fields take from the editor. */
interface FieldTools {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  errorOf: (anchor: string) => string | undefined;
  /** A field is left: what is wrong with it may be said from now on. */
  leave: (anchor: string) => void;
  say: (text: string) => void;
}

export const EditorFields = createContext<FieldTools | undefined>(undefined);

export function useFieldTools(): FieldTools {
  const tools = use(EditorFields);
  if (!tools) throw new Error('this field needs the editor around it');
  return tools;
}

interface Refusal {
  /** The draft as it was sent: what the server says of a field stands until it changes. */
  sent: Draft;
  mends: Mend[];
}

/** The draft of an opening, what is wrong with it, and how it is saved. */
export function useEditor(id: string, begun: KeptDraft, onSaved: (opening: Opening) => void) {
  const client = useQueryClient();
  const [drafts, setDrafts] = useDrafts();
  const kept = drafts[id] ?? begun;
  const { draft, base } = kept;
  const [left, setLeft] = useState<readonly string[]>([]);
  const [isAllTold, setAllTold] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [trouble, setTrouble] = useState<string>();
  /** What somebody else saved meanwhile. */
  const [other, setOther] = useState<Opening>();
  const [isSaving, setSaving] = useState(false);
  const [said, say] = useState('');
  const summary = useRef<HTMLDivElement>(null);

  function keep(next: KeptDraft) {
    setDrafts((drafts) => ({ ...drafts, [id]: next }));
  }

  function forget() {
    setDrafts(({ [id]: _, ...others }) => others);
  }

  const mistakes = mistakesIn(draft);
  const told = refusal ? stillTrue(refusal, draft) : [];
  const shown = [
    ...mistakes.filter(({ anchor }) => isAllTold || left.includes(anchor)),
    ...told.filter(({ anchor }) => !mistakes.some((mistake) => mistake.anchor === anchor)),
  ];

  function refuse(message?: string) {
    setTrouble(message);
    setAllTold(true);
    requestAnimationFrame(() => summary.current?.focus());
  }

  async function send(form: OpeningForm, version: number | undefined, sent: Draft) {
    setSaving(true);
    setTrouble(undefined);
    setRefusal(undefined);
    try {
      const opening = version === undefined ? await makeOpening(form) : await changeOpening(id, version, form);
      forget();
      client.invalidateQueries({ queryKey: ['openings'] });
      client.setQueryData(openingOf(opening.id).queryKey, opening);
      onSaved(opening);
    } catch (why) {
      const { status, problem } = why as Failure;
      if (status === 409 && version !== undefined) return await meet(problem.message);
      const mends = mendsOf(problem?.fields ?? [], sent);
      setRefusal({ sent, mends });
      refuse(mends.length > 0 ? undefined : (problem?.message ?? String(why)));
    } finally {
      setSaving(false);
    }
  }

  /** Somebody else has saved it meanwhile: what they saved is fetched, so that both can be shown. */
  async function meet(message: string) {
    try {
      setOther(await client.fetchQuery({ ...openingOf(id), staleTime: 0 }));
    } catch {
      refuse(message);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving) return;
    if (mistakes.length > 0) return refuse();
    send(formOf(draft), base?.version, draft);
  }

  /** Goes on from what somebody else saved, with the form that was chosen. */
  function settle(opening: Opening, form: OpeningForm) {
    const draft = draftOf(form);
    keep({ draft, base: { form: opening.form, version: opening.version }, changed_at: Date.now() });
    setOther(undefined);
    send(form, opening.version, draft);
  }

  const tools: FieldTools = {
    draft,
    change: (part) => {
      setDrafts((drafts) => {
        const now = drafts[id] ?? begun;
        return { ...drafts, [id]: { ...now, draft: { ...now.draft, ...part }, changed_at: Date.now() } };
      });
    },
    errorOf: (anchor) => shown.find((mend) => mend.anchor === anchor)?.message,
    leave: (anchor) => {
      const isWrong = mistakes.some((mistake) => mistake.anchor === anchor);
      setLeft((left) => (isWrong ? [...left, anchor] : left.filter((other) => other !== anchor)));
    },
    say,
  };
  const isChanged = id === NEW || !isSame(formOf(draft), base?.form);
  const listed = isAllTold ? shown : [];
  return {
    kept,
    tools,
    mends: listed,
    trouble,
    summary,
    said,
    isSaving,
    isChanged,
    other,
    submit,
    settle,
    forget,
    stay: () => setOther(undefined),
  };
}

/** What the server has said of fields that have not changed since. */
function stillTrue({ sent, mends }: Refusal, draft: Draft): Mend[] {
  return mends.filter(({ anchor }) => {
    const field = fieldOf(anchor);
    return field === undefined || isSame(sent[field], draft[field]);
  });
}

function fieldOf(anchor: string): keyof Draft | undefined {
  if (anchor.startsWith('own-')) return 'questions';
  if (anchor.startsWith('criterion-')) return 'criteria';
  if (anchor.startsWith('known-')) return 'knowledge';
  return anchor === 'main' ? undefined : (anchor as keyof Draft);
}
