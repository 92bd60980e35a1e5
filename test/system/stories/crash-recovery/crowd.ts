/** Creates and follows many workspaces while their sequencer is killed. */

import {
  type Client,
  claimOf,
  conditionOf,
  createReflector,
  isDeleting,
  type NewObject,
  Store,
  Workspace,
} from '../../../../sdk/index.ts';
import { HopelessError, until } from '../../real/until.ts';
import { isReady, statusesOf } from '../sequencing.ts';

/** Concurrent requests. */
const width = 20;

async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** A workspace that requests all registered kinds of a tunnel, an ingress and one name. */
export const member = (name: string, zone: string): NewObject<Workspace> => ({
  metadata: { namespace: 'default', name },
  spec: {
    networking: {
      dns: { zone },
      ingress: { className: 'nginx', rules: [{ name: 'web', path: '/', component: 'web', network: 'http' }] },
    },
  },
});

/** Reports whether its tunnel, the one condition that cannot be found again, waits for a person. */
export const isUnknown = (workspace: Workspace): boolean => conditionOf(workspace, 'Tunneling').status === 'Unknown';

/** Reports whether it needs no further work without a person. */
export const isSettled = (workspace: Workspace): boolean =>
  isReady(workspace) || (isUnknown(workspace) && statusesOf(workspace).Ready === 'Unknown');

/** Reports whether its tunnel alone blocks its deletion and only a person can decide. */
export const isStuck = (workspace: Workspace): boolean =>
  isDeleting(workspace) && isUnknown(workspace) && workspace.metadata.finalizers?.join() === claimOf('tunnel');

/** Many workspaces, followed by a watch. */
export interface Crowd {
  /** All workspaces as currently observed. */
  members(): readonly Workspace[];
  createAll(count: number, zone: string, memberOf?: typeof member): Promise<void>;
  deleteAll(): Promise<void>;
  /** Answers for an unknown tunnel that no thing of it exists any more. */
  release(workspace: Workspace): Promise<void>;
  /** Waits until a predicate holds of all members. */
  until(what: string, holds: (members: readonly Workspace[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Limits of a crowd's waits. */
export interface CrowdOptions {
  readonly client: Client;
  /** ms without any progress after which a wait is given up. */
  readonly patience: number;
  /** Returns the reason for which waiting is futile, if any. */
  readonly hopeless: () => string | undefined;
}

const keyOf = ({ metadata: { name } }: Workspace) => ({ namespace: 'default', name });

function standOf(members: readonly Workspace[]): string {
  const unsettled = members.filter((one) => !isSettled(one));
  const unknown = members.filter(isUnknown).length;
  const first = JSON.stringify(unsettled[0] ?? members[0], undefined, 1);
  return `${members.length} there, ${unknown} unknown, ${unsettled.length} not settled; such as ${first}`;
}

/** Follows all workspaces of a server. */
export async function startCrowd({ client, patience, hopeless }: CrowdOptions): Promise<Crowd> {
  const store = new Store<Workspace>();
  const stop = new AbortController();
  let lastChange = performance.now();
  const onChange = () => {
    lastChange = performance.now();
  };
  const reflector = createReflector({ client, kind: Workspace, store, onChange });
  const ended = reflector.run(stop.signal);
  await reflector.synced;
  const members = () => store.list();
  return {
    members,
    createAll: (count, zone, memberOf = member) =>
      eachOf(
        Array.from({ length: count }, (_, nth) => memberOf(`w${nth}`, zone)),
        (one) => client.create(Workspace, one),
      ),
    deleteAll: () => eachOf(members(), (one) => client.delete(Workspace, keyOf(one))),
    async release(workspace) {
      const value = { metadata: { finalizers: null } };
      await client.patch(Workspace, keyOf(workspace), { type: 'merge', value });
    },
    async until(what, holds) {
      const message = () => `${what}: nothing has moved for ${patience} ms; ${standOf(members())}`;
      lastChange = performance.now();
      const ask = async () => {
        if (holds(members())) return true;
        const why = hopeless();
        if (why !== undefined) throw new HopelessError(`${what}: ${why}`);
        if (performance.now() - lastChange > patience) throw new HopelessError(message());
        return undefined;
      };
      await until(ask, { deadline: 600_000, interval: 20, message });
    },
    async close() {
      stop.abort();
      await ended;
    },
  };
}
