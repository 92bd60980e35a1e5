import { authenticated, serviceAccountGroups } from '../auth/impersonation.ts';
import type { User } from '../http/message.ts';

/** Returns the user of a service account. */
export const serviceAccountUser = (namespace: string, name: string): User => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: [...serviceAccountGroups(namespace), authenticated],
});
