import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, type Blueprint, type Launched } from '../api/client';
import * as queries from '../api/queries';
import { checkPlanning, launchForm, type Planning } from './compose';
import { EMPTY, useDocuments, useForm, usePlans } from './drafts';
import { checkField, checkForm, type Errors, errorsOf, mended, type TextField } from './form';
import { checkDocuments } from './plan/documents';
import { useMaking } from './plan/usePlanning';

/** The blueprint that is chosen until somebody chooses another one. */
const USUAL = 'mock-interview';

/** The form, what is wrong with it, and the launch. */
export function useLaunch(blueprints: Blueprint[] | undefined, onLaunched: (launched: Launched, name: string) => void) {
  const [form, setForm] = useForm();
  const [errors, setErrors] = useState<Errors>({});
  const [trouble, setTrouble] = useState<string>();
  const [types, setTypes] = useState(false);
  const client = useQueryClient();
  const launching = useLaunching(onLaunched);
  const summary = useRef<HTMLDivElement>(null);

  const usual = blueprints?.find(({ name }) => name === USUAL) ?? blueprints?.[0];
  const chosen = form.blueprint || usual?.name || '';
  const blueprint = blueprints?.find(({ name }) => name === chosen);
  const planned = blueprint?.planned ?? 'nothing';
  // A guide that is not on the page is not looked at.
  const current = { ...form, blueprint: chosen, guide: planned === 'topics' ? form.guide : '' };
  const planning: Planning = { ...usePlanned(chosen, planned), rounds: blueprint?.rounds };

  useMending(planning, setErrors);

  function change(field: TextField, value: string) {
    setForm((form) => ({ ...form, [field]: value }));
    if (errors[field]) setErrors({ ...errors, [field]: checkField(field, value) });
  }

  function leave(field: TextField) {
    const value = current[field];
    if (value) setErrors({ ...errors, [field]: checkField(field, value) });
  }

  function refuse(found: Errors, message?: string) {
    setErrors(found);
    setTrouble(message);
    requestAnimationFrame(() => summary.current?.focus());
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (client.isMutating({ mutationKey: queries.LAUNCH }) > 0) return;
    const found = { ...checkForm(current), ...checkPlanning(planning) };
    if (Object.keys(found).length > 0) return refuse(found);
    launching.mutate(launchForm(current, planning, types && Boolean(blueprint?.missing)), {
      onError: ({ problem }) => {
        const beside = errorsOf(problem.fields);
        refuse(beside, Object.keys(beside).length > 0 ? undefined : problem.message);
      },
    });
  }

  const control = (field: TextField) => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
    onBlur: () => leave(field),
  });
  /** Also when it was begun before another page was looked at. */
  const isLaunching = useIsMutating({ mutationKey: queries.LAUNCH }) > 0;
  const tell = (found: Errors) => setErrors((errors) => ({ ...errors, ...found }));
  const typing = { types, setTypes };
  return {
    current,
    blueprint,
    planning,
    errors,
    trouble,
    summary,
    isLaunching,
    change,
    control,
    submit,
    tell,
    ...typing,
  };
}

/** Takes errors away once their reason is gone. What the server says of one field stays while another one changes. */
function useMending(planning: Planning, setErrors: (next: (errors: Errors) => Errors) => void) {
  const { planned, documents, plan, isMaking } = planning;
  useEffect(() => {
    const error = planned === 'nothing' ? undefined : checkDocuments(documents);
    setErrors((errors) => mended(errors, { documents: error }, ['documents']));
  }, [planned, documents, setErrors]);
  useEffect(() => {
    const found = checkPlanning({ planned, documents: [], plan, isMaking });
    setErrors((errors) => mended(errors, found, ['questions', 'topics']));
  }, [planned, plan, isMaking, setErrors]);
  useEffect(() => {
    // It is on the page for topics alone.
    if (planned !== 'topics') setErrors((errors) => ({ ...errors, guide: undefined }));
  }, [planned, setErrors]);
}

/** All that is planned for the chosen blueprint. */
function usePlanned(chosen: string, planned: Blueprint['planned']): Planning {
  const [documents] = useDocuments();
  const [plans] = usePlans();
  const isMaking = useMaking(chosen);
  return { planned, documents, plan: plans[chosen], isMaking };
}

function useLaunching(onLaunched: (launched: Launched, name: string) => void) {
  const [, setForm] = useForm();
  const [, setDocuments] = useDocuments();
  const [, setPlans] = usePlans();
  const client = useQueryClient();
  return useMutation({
    mutationKey: queries.LAUNCH,
    mutationFn: api.launch,
    // Also when another page is looked at meanwhile.
    onSuccess: (launched, { name }) => {
      setForm(EMPTY);
      setDocuments([]);
      setPlans({});
      onLaunched(launched, name?.trim() ?? '');
      client.invalidateQueries({ queryKey: ['interviews'] });
    },
  });
}
