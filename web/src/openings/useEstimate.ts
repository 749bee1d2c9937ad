import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OpeningForm } from '../api/contract';
import { estimateOf } from '../api/openings';

const SETTLES_MS = 800;

/** How long the interviews of a form take, asked once nothing has been typed for a moment. */
export function useEstimate(form: OpeningForm) {
  const text = JSON.stringify(countingOf(form));
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, isFetching } = useQuery({
    queryKey: ['estimate', settled],
    queryFn: () => estimateOf(JSON.parse(settled) as OpeningForm),
    enabled: Boolean(form.blueprint),
    placeholderData: keepPreviousData,
  });
  return { estimate: data, error, isAsking: isFetching || settled !== text };
}

/** The form without what is only being typed: a question that is not finished would be refused, and no time be told. */
export function countingOf(form: OpeningForm): OpeningForm {
  return {
    ...form,
    title: '',
    contact: '',
    questions: form.questions.map((question, index) => ({ ...question, text: `Question ${index + 1}?` })),
    criteria: [],
    knowledge: [],
    job_description: form.job_description && 'given',
  };
}
