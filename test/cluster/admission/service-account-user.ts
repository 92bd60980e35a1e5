/** Users of service accounts. */

import { authenticated, serviceAccountGroups } from '../authn/impersonation.ts';
import type { User } from '../requests/message.ts';

/** Returns the user of a service account. */
export const serviceAccountUser = (namespace: string, name: string): User => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: [...serviceAccountGroups(namespace), authenticated],
});
