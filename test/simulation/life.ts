import { type Client, type KubeObject, keyOf, type ObjectKey, objectKeyOf, type Workspace } from '../../sdk/index.ts';
import { Actors } from './acts.ts';
import type { Arena } from './arena.ts';
import { type Fault, FaultPlan } from './faults.ts';
import { condition, type Identity, type Traits } from './guarded.ts';
import { History } from './history.ts';
import { Invariants, type Violation } from './invariants.ts';
import { Process, type ProcessOptions, type World } from './process.ts';
import { bounds, type Means, type Protocol, theGuard } from './protocol.ts';
import { randomOf } from './random.ts';
import { createReplica, type Replica, workspaceKey, workspaceKeys } from './replica.ts';
import { type Condition, conditionAtRest, type Rest, worstOutcome } from './rest.ts';
import { createScheduler } from './scheduler.ts';
import { Streams } from './streams.ts';
import { ThirdParty } from './third-party.ts';
import { send } from './wire.ts';

/** One life: a workspace from its creation to its end, with everything that befalls it. */
export interface LifeOptions {
  readonly arena: Arena;
  /** Everything that is left to chance. */
  readonly seed: string;
  readonly identity: Identity;
  readonly faults: readonly Fault[];
  /** @default the guard as it is */
  readonly protocol?: Protocol;
  /** Sequencers at once. @default 1 */
  readonly replicas?: number;
  /** ms until everything works. @default 120 000 */
  readonly horizon?: number;
  readonly traits?: Traits;
  /** What more than nothing wrong is expected. @default nothing */
  readonly expects?: Expectations;
  /** How the clocks of all processes stand; the first one's rate, and the others' as far on the other side of 1. */
  readonly process?: ProcessOptions;
}

/** What is only asked of some lives. */
export interface Expectations {
  /** No person is asked anything. */
  readonly nobodyAsked?: boolean;
  /** What is Completed has a journal. */
  readonly journal?: boolean;
}

/** What became of it. */
export interface Verdict {
  /** The worst of the two rests: before and after deletion. */
  readonly outcome: Rest['outcome'];
  readonly duplicates: number;
  readonly leaks: number;
  readonly violations: readonly Violation[];
  readonly struck: readonly Fault[];
  readonly effects: number;
  readonly trace: readonly string[];
}

/** ms that rest must last, and that may pass until it comes. */
const calm = 60_000;
const patience = 1_800_000;

/** As many questions of one life a person answers. */
const mostAnswers = 4;

/** A run of a process, and how it hears of a workspace. */
interface Run {
  readonly process: Process;
  hear(key: ObjectKey, workspace: Workspace | undefined): void;
}

/** A life under way. */
class Life {
  readonly invariants: Invariants;
  readonly world: World;
  readonly trace: string[] = [];
  readonly #options: LifeOptions;
  readonly #thirdParty: ThirdParty;
  readonly #actors: Actors;
  readonly #runs = new Map<string, Run>();
  readonly #history: History;
  #seen: readonly Workspace[] = [];
  #incarnation = 0;
  #condition = condition;

  constructor(options: LifeOptions) {
    this.#options = options;
    const { arena, protocol = theGuard() } = options;
    const scheduler = createScheduler(() => this.#step());
    const note = (who: string, what: string): void =>
      void this.trace.push(`${Math.round(scheduler.now)} ${who} ${what}`);
    const plan = new FaultPlan(options.faults);
    const act = (fault: Fault): Promise<void> => {
      this.#step();
      return this.#actors.act(fault);
    };
    this.world = { scheduler, random: randomOf(options.seed), plan, streams: new Streams(), act, note };
    this.#history = new History(() => scheduler.now);
    this.invariants = new Invariants(this.world, protocol.guarded);
    this.#thirdParty = new ThirdParty(this.world, this.invariants, bounds.listLag);
    const processes = () => [...this.#runs.values()].map(({ process }) => process).filter(({ dead }) => !dead);
    const rename = (): void => {
      this.#condition = `${condition}2`;
      for (const process of processes()) process.die();
    };
    const { world, invariants } = this;
    this.#actors = new Actors({
      world,
      arena,
      thirdParty: this.#thirdParty,
      invariants,
      history: this.#history,
      condition: () => this.#condition,
      rename,
      processes,
    });
  }

  async run(): Promise<Rest> {
    const { arena, replicas = 1, horizon = 120_000 } = this.#options;
    const { world } = this;
    const { scheduler, plan } = world;
    const cluster = new Process(world, 'cluster', { unseen: true });
    await arena.enter({
      clock: cluster.clock,
      random: world.random.fork('cluster').next,
      route: (name, request, next) => {
        const run = this.#runs.get(name);
        return run === undefined ? new Promise(() => {}) : send(world, run.process, { request, next });
      },
    });
    await this.#actors.create();
    for (let index = 0; index < replicas; index += 1) this.#start(String.fromCharCode(65 + index));
    for (const fault of plan.timed) scheduler.after(fault.at, () => void this.#actors.act(fault));
    await scheduler.run(horizon);
    plan.end();
    world.note('world', 'the bad times are over');
    await this.#actors.clearUp();
    const rest = await this.#toTheEnd();
    for (const { process } of this.#runs.values()) process.die();
    return rest;
  }

  /** Two rests: before deletion, and after it. */
  async #toTheEnd(): Promise<Rest> {
    const { arena } = this.#options;
    const first = await this.#answeredRest();
    if (arena.workspaces().length === 0) return first;
    this.world.note('user', 'deletes the workspace');
    await this.#actors.delete();
    const last = await this.#answeredRest();
    return worst(first, last);
  }

  /** Starts a sequencer that starts again whenever it dies. */
  #start(letter: string): void {
    const { arena, identity, protocol = theGuard(), traits = {} } = this.#options;
    const { world } = this;
    this.#incarnation += 1;
    const name = `${letter}${this.#incarnation}`;
    const random = world.random.fork(name);
    const skew = random.below(7_200_000) - 3_600_000;
    const rate = 1 + (2 * random.next() - 1) * bounds.drift;
    const { rate: apart = rate, ...same } = this.#options.process ?? {};
    const process = new Process(world, name, { skew, rate: letter === 'A' ? apart : 2 - apart, ...same });
    const own = new Set<string>();
    const client = noting(arena.clientOf(process, random.fork('client').next), own);
    const isOwn = (version: string): boolean => own.has(version);
    const means: Means = {
      process,
      client,
      random: random.fork('host'),
      thirdParty: this.#thirdParty,
      identity,
      condition: this.#condition,
      traits,
      tell: (text) => world.note(name, `tells ${text}`),
    };
    const engine = { process, isOwn, random: random.fork('engine'), lag: 60 };
    const replicas = new Map<string, Replica>();
    const reconciler = protocol.run ? undefined : protocol.reconciler(means);
    const replicaOf = (key: ObjectKey): Replica | undefined => {
      if (reconciler === undefined) return undefined;
      const of = replicas.get(keyOf(key)) ?? createReplica(world, { ...engine, key, reconciler });
      replicas.set(keyOf(key), of);
      return of;
    };
    this.#runs.set(name, { process, hear: (key, workspace) => replicaOf(key)?.hear(workspace) });
    world.note(name, 'starts');
    for (const workspace of arena.workspaces()) replicaOf(objectKeyOf(workspace))?.hear(workspace);
    void protocol.run?.(means);
    process.onEnd(() => world.scheduler.after(500 + random.below(4_000), () => this.#start(letter)));
  }

  #step(): void {
    const { arena } = this.#options;
    const workspaces = arena.workspaces();
    this.invariants.step(workspaces, this.#thirdParty.things);
    if (workspaces !== this.#seen) this.#spread(workspaces);
    const workspace = arena.workspace(workspaceKey);
    if (workspace !== undefined) this.#history.saw(workspace);
    if (this.#actors.recreating && workspace === undefined) void this.#actors.step();
  }

  /** Tells all processes that live what has changed. */
  #spread(workspaces: readonly Workspace[]): void {
    const before = this.#seen;
    this.#seen = workspaces;
    for (const key of workspaceKeys) {
      const isIt = ({ metadata }: Workspace) => metadata.name === key.name && metadata.namespace === key.namespace;
      const now = workspaces.find(isIt);
      if (now === before.find(isIt)) continue;
      for (const { process, hear } of this.#runs.values()) if (!process.dead) hear(key, now);
    }
  }

  #look(): Condition {
    const { pending } = this.invariants;
    const { recreating } = this.#actors;
    const { arena, protocol, expects } = this.#options;
    return conditionAtRest(arena.workspaces(), this.#thirdParty.things, {
      moving: pending > 0 || recreating,
      condition: this.#condition,
      journal: expects?.journal ?? false,
      wanted: (workspace) => (protocol?.slots?.(workspace) ?? ['']).length,
    });
  }

  /** Waits until nothing happens any more, a person having answered whatever was asked. */
  async #answeredRest(): Promise<Rest> {
    const first = await this.#rest();
    let rest = first;
    for (let answers = 0; rest.outcome === 'human' && answers < mostAnswers; answers += 1) {
      await this.#actors.answer();
      rest = await this.#rest();
    }
    if (first.outcome === 'human' && this.#options.expects?.nobodyAsked)
      this.invariants.violate('I7', 'a person is asked for whom there is no need');
    if (rest.outcome === 'human') this.invariants.violate('I7', `still asks a person after ${mostAnswers} answers`);
    return worst(first, rest);
  }

  /** Waits until nothing happens any more. */
  async #rest(): Promise<Rest> {
    const { scheduler } = this.world;
    const limit = scheduler.now + patience;
    do {
      await scheduler.run(limit, () => this.#look().settled);
      await scheduler.run(scheduler.now + calm);
    } while (!this.#look().settled && scheduler.now < limit);
    const { rest, wrong } = this.#look();
    this.world.note('world', `at rest: ${rest.outcome}, ${rest.duplicates} duplicates, ${rest.leaks} leaks`);
    for (const { id, text } of wrong) this.invariants.violate(id, text);
    this.invariants.atRest(this.#options.arena.workspaces(), this.#thirdParty.things);
    return rest;
  }
}

/** Remembers the versions that a client's writes were answered with. */
function noting(client: Client, versions: Set<string>): Client {
  const note = <T extends KubeObject>(answer: T): T => {
    versions.add(answer.metadata.resourceVersion ?? '');
    return answer;
  };
  return {
    ...client,
    patch: async (...args) => note(await client.patch(...args)),
    update: async (...args) => note(await client.update(...args)),
  };
}

/** What either rest saw, the worse of it. */
const worst = (a: Rest, b: Rest): Rest => ({
  outcome: worstOutcome([a.outcome, b.outcome]),
  duplicates: Math.max(a.duplicates, b.duplicates),
  leaks: Math.max(a.leaks, b.leaks),
});

/** Lives one life. */
export async function live(options: LifeOptions): Promise<Verdict> {
  const life = new Life(options);
  const { outcome, duplicates, leaks } = await life.run();
  const { invariants, world, trace } = life;
  const { struck, effects } = world.plan;
  return { outcome, duplicates, leaks, violations: invariants.violations, struck, effects, trace };
}

/** Whether something happened that must never happen. */
export const isFailure = ({ outcome, violations }: Verdict): boolean => outcome === 'stuck' || violations.length > 0;
