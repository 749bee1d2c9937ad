import { useMutation, useMutationState } from '@tanstack/react-query';
import { api, type Failure } from '../../api/client';
import * as queries from '../../api/queries';
import { planForm, sourceOf } from '../compose';
import { useDocuments, usePlans } from '../drafts';
import type { Form } from '../form';
import { draftOf, type Source } from './draft';

/** A request for a plan, and what it is made from. */
interface Wanted {
  form: Form;
  source: Source;
}

/** Whether a plan for the blueprint is being made, also when that was begun before another page was looked at. */
export function useMaking(blueprint: string): boolean {
  const making = useMutationState({
    filters: { mutationKey: queries.PLAN, status: 'pending' },
    select: ({ state }) => (state.variables as Wanted).form.blueprint,
  });
  return making.includes(blueprint);
}

/** Has a plan made for the blueprint of the form. */
export function usePlanning(
  onMade: (plan: Awaited<ReturnType<typeof api.plan>>) => void,
  onFailed: (failure: Failure) => void,
) {
  const [, setPlans] = usePlans();
  const [documents] = useDocuments();
  const planning = useMutation({
    mutationKey: queries.PLAN,
    mutationFn: ({ form, source }: Wanted) => api.plan(planForm(form.blueprint, source)),
    // Also when another page is looked at meanwhile.
    onSuccess: (made, { form, source }) => setPlans((plans) => ({ ...plans, [form.blueprint]: draftOf(made, source) })),
  });
  return (form: Form, planned: 'questions' | 'topics') =>
    planning.mutate({ form, source: sourceOf(form, { planned, documents }) }, { onSuccess: onMade, onError: onFailed });
}
