import type { Role } from '../api/contract';
import { t } from '../texts';

export const ROLES: Record<Role, string> = {
  viewer: t('role.viewer'),
  recruiter: t('role.recruiter'),
  admin: t('role.admin'),
};

/** What each role may do. */
export const ROLES_DO: Record<Role, string> = {
  viewer: t('role.viewerDoes'),
  recruiter: t('role.recruiterDoes'),
  admin: t('role.adminDoes'),
};

export const ALL_ROLES: readonly Role[] = ['viewer', 'recruiter', 'admin'];
