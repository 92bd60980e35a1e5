/** Tells a workspace that is gone from other objects that are missing. */

import { objectPath } from '../../sdk/host/index.ts';
import { NotFoundError, objectKeyOf, Workspace } from '../../sdk/index.ts';

/** Reports whether an error says that the workspace itself is gone. A 404 about any other object, such as a ConfigMap that an integration reads, does not. */
export function isWorkspaceGone(error: unknown, workspace: Workspace): boolean {
  if (!(error instanceof NotFoundError)) return false;
  const path = objectPath(Workspace, objectKeyOf(workspace));
  const [asked] = error.request.path.split('?');
  return asked === path || asked === `${path}/status`;
}
