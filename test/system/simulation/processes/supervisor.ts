/** Runs the sequencer processes of one life and restarts them when they die. */

import {
  type Client,
  conditionOf,
  isOlder,
  type KubeObject,
  keyOf,
  messageOf,
  type ObjectKey,
  objectKeyOf,
  type Workspace,
} from '../../../../sdk/index.ts';
import type { ApiRequest, ApiResponse } from '../../../cluster/index.ts';
import { condition, type Identity } from '../protocols/guarded.ts';
import { bounds, type Means, type Protocol } from '../protocols/protocol.ts';
import type { Traits } from '../protocols/traits.ts';
import type { ThirdParty } from '../third-party/third-party.ts';
import type { Arena } from './arena.ts';
import { Process, type ProcessOptions, type World } from './process.ts';
import { createReplica, type Replica, workspaceKeys } from './replica.ts';
import { send } from './wire.ts';

/** A run of a process, and its subscription to the workspace. */
interface Run {
  readonly process: Process;
  hear(key: ObjectKey, workspace: Workspace | undefined): void;
}

/** Options common to all processes of a life. */
export interface SupervisorOptions {
  readonly arena: Arena;
  readonly thirdParty: ThirdParty;
  readonly protocol: Protocol;
  readonly identity: Identity;
  readonly traits: Traits;
  readonly process: ProcessOptions;
  /** Receives every event and warning of a process. */
  tell(text: string): void;
}

/** The processes of one life; each restarts whenever it dies. */
export class Supervisor {
  readonly #world: World;
  readonly #options: SupervisorOptions;
  readonly #runs = new Map<string, Run>();
  #seen: readonly Workspace[] = [];
  #incarnation = 0;
  #condition = condition;

  constructor(world: World, options: SupervisorOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** The condition that their integration reports. */
  get condition(): string {
    return this.#condition;
  }

  /** Processes that are alive. */
  get living(): readonly Process[] {
    return [...this.#runs.values()].map(({ process }) => process).filter(({ dead }) => !dead);
  }

  /** Registers the integration under another condition and restarts all processes with it. */
  rename(): void {
    this.#condition = `${condition}2`;
    this.end();
  }

  /** Registers the integration under the condition under which it has made things, which it names where it does not. */
  giveBack(workspace: Workspace | undefined): void {
    const { reason } = workspace === undefined ? { reason: '' } : conditionOf(workspace, this.#condition);
    const [, former] = /answered for condition (\S+) before/.exec(reason) ?? [];
    if (former === undefined) return;
    this.#condition = former;
    this.end();
  }

  end(): void {
    for (const process of this.living) process.die();
  }

  /** Sends a request of the named process; never answered if no process has that name. */
  send(name: string, request: ApiRequest, next: (request: ApiRequest) => Promise<ApiResponse>): Promise<ApiResponse> {
    const run = this.#runs.get(name);
    return run === undefined ? new Promise(() => {}) : send(this.#world, run.process, { request, next });
  }

  /** Notifies all living processes of changes. */
  tell(workspaces: readonly Workspace[]): void {
    if (workspaces === this.#seen) return;
    const before = this.#seen;
    this.#seen = workspaces;
    for (const key of workspaceKeys) {
      const isIt = ({ metadata }: Workspace) => metadata.name === key.name && metadata.namespace === key.namespace;
      const now = workspaces.find(isIt);
      if (now === before.find(isIt)) continue;
      for (const { process, hear } of this.#runs.values()) if (!process.dead) hear(key, now);
    }
  }

  /** Starts a sequencer that restarts whenever it dies. */
  start(letter: string): void {
    const { arena, identity, protocol, traits, thirdParty, tell } = this.#options;
    const world = this.#world;
    this.#incarnation += 1;
    const name = `${letter}${this.#incarnation}`;
    const random = world.random.fork(name);
    const skew = random.below(7_200_000) - 3_600_000;
    const rate = 1 + (2 * random.next() - 1) * bounds.drift;
    const { rate: apart = rate, ...same } = this.#options.process;
    const process = new Process(world, name, { skew, rate: letter === 'A' ? apart : 2 - apart, ...same });
    const own = new Set<string>();
    const newest = new Map<string, string>();
    const client = noting(arena.clientOf(process, random.fork('client').next), ({ metadata }) => {
      const { resourceVersion = '' } = metadata;
      own.add(resourceVersion);
      if (!isOlder(resourceVersion, newest.get(keyOf(metadata)))) newest.set(keyOf(metadata), resourceVersion);
    });
    const isOwn = (version: string): boolean => own.has(version);
    const means: Means = {
      process,
      client,
      random: random.fork('host'),
      thirdParty,
      identity,
      condition: this.#condition,
      traits,
      tell: (text) => {
        tell(text);
        world.note(name, `tells ${text}`);
      },
    };
    const failed = (error: unknown): void => means.tell(`run failed: ${wordsOf(error)}`);
    const engine = { process, isOwn, random: random.fork('engine'), lag: 60, failed };
    const replicas = new Map<string, Replica>();
    const reconciler = protocol.run ? undefined : protocol.reconciler(means);
    const replicaOf = (key: ObjectKey): Replica | undefined => {
      if (reconciler === undefined) return undefined;
      const of =
        replicas.get(keyOf(key)) ??
        createReplica(world, { ...engine, newestOwn: () => newest.get(keyOf(key)), key, reconciler });
      replicas.set(keyOf(key), of);
      return of;
    };
    this.#runs.set(name, { process, hear: (key, workspace) => replicaOf(key)?.hear(workspace) });
    world.note(name, 'starts');
    for (const workspace of arena.workspaces()) replicaOf(objectKeyOf(workspace))?.hear(workspace);
    void protocol.run?.(means);
    process.onEnd(() => world.scheduler.after(500 + random.below(4_000), () => this.start(letter)));
  }
}

/** Messages of an error and its causes. */
const wordsOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? `${error.message}: ${wordsOf(error.cause)}` : messageOf(error);

/** Passes what a client's writes return to `written`. */
function noting(client: Client, written: (answer: KubeObject) => void): Client {
  const note = <T extends KubeObject>(answer: T): T => {
    written(answer);
    return answer;
  };
  return {
    ...client,
    patch: async (...args) => note(await client.patch(...args)),
    update: async (...args) => note(await client.update(...args)),
  };
}
