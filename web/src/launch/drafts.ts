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

// What is typed, and the link that is shown only once stay while an interview of the list is looked at.
export const useForm = kept(EMPTY);
export const useDocuments = kept<readonly DocumentDraft[]>([]);
/** The plans by their blueprints' names. */
export const usePlans = kept<Readonly<Record<string, PlanDraft>>>({});
export const useLaunched = kept<{ interview: Launched; name: string } | undefined>(undefined);
