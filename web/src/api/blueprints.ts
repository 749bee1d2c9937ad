import { queryOptions } from '@tanstack/react-query';
import { at, request } from './request';
import type { components } from './schema';

export type BlueprintRow = components['schemas']['BlueprintRow'];
export type BlueprintVersion = components['schemas']['BlueprintVersionRow'];
export type BlueprintText = components['schemas']['BlueprintText'];
export type BlueprintFile = components['schemas']['BlueprintFile'];
export type BlueprintProblem = components['schemas']['BlueprintProblem'];
type Draft = components['schemas']['BlueprintDraft'];
type NewText = components['schemas']['NewBlueprintText'];

/** The blueprints that can be changed, each with its newest version. */
export const newestBlueprints = queryOptions({
  queryKey: ['blueprints', 'newest'],
  queryFn: () => request<BlueprintRow[]>('GET', '/api/blueprints/newest'),
});

/** The versions of a blueprint, the newest first. */
export const versionsOf = (name: string) =>
  queryOptions({
    queryKey: ['blueprints', 'versions', name],
    queryFn: () => request<BlueprintVersion[]>('GET', at`/api/blueprints/${name}/versions`),
  });

/** The files of a version, which never change. */
export const versionOf = (name: string, number: number) =>
  queryOptions({
    queryKey: ['blueprint', name, number],
    queryFn: () => request<BlueprintText>('GET', at`/api/blueprints/${name}/versions/${String(number)}`),
    staleTime: 'static',
  });

export const checkBlueprint = (name: string, draft: Draft) =>
  request<{ problems: BlueprintProblem[] }>('POST', at`/api/blueprints/${name}/check`, draft);
export const saveBlueprint = (name: string, text: NewText) =>
  request<BlueprintVersion>('POST', at`/api/blueprints/${name}/versions`, text);
export const goBack = (name: string, back: { based_on: number; number: number; note: string }) =>
  request<BlueprintVersion>('POST', at`/api/blueprints/${name}/back`, back);
export const copyBlueprint = (name: string, copy: { number: number; name: string; title: string }) =>
  request<BlueprintText>('POST', at`/api/blueprints/${name}/copy`, copy);
