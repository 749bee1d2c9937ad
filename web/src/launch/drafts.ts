import type { Launched } from '../api/client';
import type { Form } from './form';
import { kept } from './kept';
import type { DocumentDraft } from './plan/documents';
import type { PlanDraft } from './plan/draft';

export const EMPTY: Form = {
  name: '',
  role: '',
  level: 'mid',
  blueprint: '',
  resume: '',
  job_description: '',
  guide: '',
};

// What is typed stays while an interview of the list is looked at, and over a reload; the link, which is shown only once,
// not over a reload.
export const useForm = kept(EMPTY, { key: 'launch.form', restore: (form) => ({ ...EMPTY, ...form }) });
export const useDocuments = kept<readonly DocumentDraft[]>([], {
  key: 'launch.documents',
  // The bytes of those that were being read are gone.
  restore: (documents) => documents.filter(({ state }) => state === 'read'),
});
/** The plans by their blueprints' names. */
export const usePlans = kept<Readonly<Record<string, PlanDraft>>>(
  {},
  { key: 'launch.plans', restore: (plans) => plans },
);
export const useLaunched = kept<{ interview: Launched; name: string } | undefined>(undefined);
