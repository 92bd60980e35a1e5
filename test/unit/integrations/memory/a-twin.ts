/** Workspace that asks for one thing of a third party in memory, walked once. */

import { conditionOf, type Integration, Secret, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

/** Creates it and walks; `end` deletes it and walks on. */
export async function aTwin(
  integration: Integration,
  integrations: WorkspaceSpec['integrations'],
  more: WorkspaceSpec = {},
) {
  const { client, create, read, actor, delete: remove } = await aTargetCluster();
  await create({ ...more, integrations });
  const { walk } = actor([integration]);
  await walk();
  await walk();
  const workspace = await read();
  return {
    said: (type: string) => {
      const { status, reason } = conditionOf(workspace, type);
      return `${status}: ${reason}`;
    },
    outputs: (condition: string) => workspace.status?.outputs?.[condition],
    async secret(name: string): Promise<Readonly<Record<string, string>>> {
      const { data = {} } = await client.get(Secret, { namespace: 'default', name });
      return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, atob(text)]));
    },
    async end() {
      await remove();
      await walk();
    },
  };
}
