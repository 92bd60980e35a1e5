/** Creates and verifies the objects of the workload. */

import { type Client, Namespace, Workspace } from '../../../../sdk/index.ts';
import { finalizer, keyAt, namespaces, workspaceAt } from './workload.ts';

/** Concurrent requests of the driver. */
const inFlight = 16;

/** Runs `task` for 0 to `count - 1`, at most 16 at once. */
export async function forEachIndex(count: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker));
}

/** Creates the namespaces of the workload. */
export const createNamespaces = (client: Client): Promise<void> =>
  forEachIndex(namespaces, (index) => client.create(Namespace, { metadata: { name: keyAt(index).namespace } }));

/** Creates a backlog in new namespaces. */
export async function createBacklog(client: Client, count: number): Promise<void> {
  await createNamespaces(client);
  await forEachIndex(count, (index) => client.create(Workspace, workspaceAt(index), { answer: 'metadata' }));
}

/** Reports whether both writes of an operator under measurement are present. */
export const isReady = ({ metadata, status }: Workspace): boolean =>
  metadata.finalizers?.includes(finalizer) === true &&
  status?.observedGeneration === metadata.generation &&
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** Checks that all objects are ready. @throws Error naming the first that is not */
export async function verifyAll(client: Client, count: number): Promise<{ readonly bytes: number }> {
  const { items } = await client.list(Workspace);
  const wrong = items.find((workspace) => !isReady(workspace));
  if (wrong !== undefined) throw new Error(`not ready though the operator was through: ${JSON.stringify(wrong)}`);
  if (items.length !== count) throw new Error(`${items.length} workspaces, expected ${count}`);
  return { bytes: items.reduce((total, item) => total + JSON.stringify(item).length, 0) / Math.max(1, count) };
}
