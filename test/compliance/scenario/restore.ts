/** Backup and restore of a workspace. */

import { ignoreNotFound, type ObjectMeta, Workspace, type Workspace as WorkspaceObject } from '../../../sdk/index.ts';
import type { Scenario } from './scenario.ts';

/** Returns the annotations, labels and optionally finalizers of a workspace, which a copy or a backup has. */
export const metadataInBackup = ({ metadata }: WorkspaceObject, withFinalizers: boolean): Partial<ObjectMeta> => ({
  ...(metadata.annotations && { annotations: metadata.annotations }),
  ...(metadata.labels && { labels: metadata.labels }),
  ...(withFinalizers && metadata.finalizers && { finalizers: metadata.finalizers }),
});

/** Deletes the workspace while no controller runs, and creates it again from its backup, without status. */
export async function restore(scenario: Scenario, withFinalizers: boolean): Promise<WorkspaceObject> {
  const { client } = scenario.environment;
  const backup = (await scenario.read())!;
  const { name, namespace } = backup.metadata;
  const key = { name, namespace: namespace! };
  scenario.stopSequencer();
  await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await ignoreNotFound(client.delete(Workspace, key));
  return scenario.create(backup.spec, metadataInBackup(backup, withFinalizers));
}
