/** Starts sequencers on the servers under test and waits for workspaces. */

import {
  type Client,
  createClient,
  Event,
  ensureCrds,
  findCondition,
  type Integration,
  loadConnection,
  NotFoundError,
  Workspace,
} from '../../../sdk/index.ts';
import { createSequencer, type Sequencer, type SequencerOptions } from '../../../sequencer/index.ts';
import { until } from '../real/until.ts';
import type { StoryServer } from './servers.ts';

/** Connects with the server's kubeconfig and ensures that the server serves workspaces. */
export async function connectTo({ kubeconfigPath }: Pick<StoryServer, 'kubeconfigPath'>): Promise<Client> {
  const client = createClient({ connection: await loadConnection({ kubeconfig: kubeconfigPath }) });
  await ensureCrds(client, [Workspace]);
  return client;
}

/** A running sequencer. */
export interface RunningSequencer {
  readonly health: Sequencer['health'];
  /** Resolves when current work is finished. */
  stop(): Promise<void>;
}

/** Starts a sequencer in this process; it follows all workspaces when this resolves. */
export async function startSequencer(
  client: Client,
  integrations: readonly Integration[],
  options: Pick<SequencerOptions, 'className' | 'selector' | 'tenantIntegrations' | 'events' | 'times'> = {},
): Promise<RunningSequencer> {
  const stopping = new AbortController();
  const sequencer = createSequencer({ ...options, client, integrations });
  const running = sequencer.run(stopping.signal);
  await Promise.race([sequencer.synced, running]);
  return {
    health: () => sequencer.health(),
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** Reports whether the standard condition is `True` for the current generation. */
export function isReady({ metadata, status }: Workspace): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation;
}

/** Statuses by condition type. */
export const statusesOf = ({ status }: Workspace): Readonly<Record<string, string>> =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: said }) => [type, said]));

/** Polls for a minute at most until `holds` returns a value other than undefined. */
export const eventually = <T>(what: string, holds: () => Promise<T | undefined>): Promise<T> =>
  until(holds, { message: (error) => `${what} not within a minute${error === undefined ? '' : ` (${error})`}` });

/** Waits for a workspace in the wanted state and returns it; the error contains its last state. */
export async function workspaceThat(
  client: Client,
  name: string,
  holds: (workspace: Workspace) => boolean,
): Promise<Workspace> {
  let last: Workspace | undefined;
  const ask = async () => {
    last = await client.get(Workspace, { namespace: 'default', name });
    return holds(last) ? last : undefined;
  };
  return until(ask, {
    message: (error) => `${name} is not so within a minute: ${error ?? JSON.stringify(last?.status, undefined, 1)}`,
  });
}

/** Returns the events about an object of this name, as `kubectl describe` lists them. */
export const eventsAbout = async (
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<readonly Event[]> => (await client.list(Event, { namespace, fields: `involvedObject.name=${name}` })).items;

/** Waits until a workspace is deleted; the error contains its last state. */
export async function workspaceGone(client: Client, name: string): Promise<void> {
  let last: Workspace | undefined;
  const ask = async () => {
    try {
      last = await client.get(Workspace, { namespace: 'default', name });
      return undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return true;
      throw error;
    }
  };
  await until(ask, {
    message: (error) => `${name} is not gone within a minute: ${error ?? JSON.stringify(last, undefined, 1)}`,
  });
}

/** Returns all watch events of a workspace since a resourceVersion, up to its deletion. */
export async function historyOf(client: Client, name: string, resourceVersion: string): Promise<readonly Workspace[]> {
  const told: Workspace[] = [];
  const selection = { namespace: 'default', fields: `metadata.name=${name}`, resourceVersion };
  for await (const event of client.watch(Workspace, { ...selection, signal: AbortSignal.timeout(20_000) })) {
    if (event.type === 'DELETED') break;
    if (event.type !== 'BOOKMARK') told.push(event.object);
  }
  return told;
}
