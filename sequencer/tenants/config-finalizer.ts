/** Finalizer of a config in use. */

import { configFinalizer } from '../../sdk/host/index.ts';
import {
  addFinalizer,
  type Client,
  DefiniteError,
  hasFinalizer,
  ignoreNotFound,
  isDeleting,
  type Kind,
  type KubeObject,
  patchTested,
} from '../../sdk/index.ts';
import { type AnyConfig, configText } from './config-integration-name.ts';

/**
 * Adds a finalizer to a config before any work under it, so that it is not deleted meanwhile. The claim on the workspace is durable before, so the
 * controller that removes the finalizer finds it. @throws DefiniteError for a config that is being deleted, StaleError
 */
export async function addConfigFinalizer(client: Client, kind: Kind<AnyConfig>, config: AnyConfig): Promise<void> {
  const { namespace, name, uid } = config.metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  const live: KubeObject | undefined = await ignoreNotFound(client.get(kind, key));
  if (live === undefined || live.metadata.uid !== uid || isDeleting(live))
    throw new DefiniteError(`${configText(config)} is being deleted: pick another one`);
  if (hasFinalizer(live, configFinalizer)) return;
  await patchTested(client, { kind, key, operations: addFinalizer(live, configFinalizer) });
}
