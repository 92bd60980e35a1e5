/** Runs one simulated life of a workspace and judges it. */

import { type Counts, Coverage } from '../checks/coverage.ts';
import { Invariants, type Violation } from '../checks/invariants.ts';
import { checkMessages, Messages } from '../checks/messages.ts';
import { type Condition, type EndState, endCondition, isRecordedTwice, worseEnd } from '../checks/steady-state.ts';
import { Actors } from '../faults/acts.ts';
import type { Fault } from '../faults/faults.ts';
import { History } from '../faults/history.ts';
import { FaultPlan } from '../faults/plan.ts';
import type { Arena } from '../processes/arena.ts';
import { Process, type ProcessOptions, type World } from '../processes/process.ts';
import { randomOf } from '../processes/random.ts';
import { workspaceKey } from '../processes/replica.ts';
import { createScheduler } from '../processes/scheduler.ts';
import { Streams } from '../processes/streams.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { condition, type Identity } from '../protocols/guarded.ts';
import { bounds, type Protocol, theGuard } from '../protocols/protocol.ts';
import type { Traits } from '../protocols/traits.ts';
import { Owners } from '../third-party/owners.ts';
import { ThirdParty } from '../third-party/third-party.ts';

/** Options of one life: a workspace from its creation to its end, with all faults in between. */
export interface LifeOptions {
  readonly arena: Arena;
  /** Seed of all randomness. */
  readonly seed: string;
  readonly identity: Identity;
  readonly faults: readonly Fault[];
  /** @default the guard */
  readonly protocol?: Protocol;
  /** Number of concurrent sequencers. @default 1 */
  readonly replicas?: number;
  /** ms after which all but the first one start. @default 0 */
  readonly joinAfter?: number;
  /** ms until the faults end. @default 120 000 */
  readonly horizon?: number;
  readonly traits?: Traits;
  /** Expectations beyond the absence of failures: no person is asked anything; a Completed condition has a journal. @default none */
  readonly expects?: { readonly nobodyAsked?: boolean; readonly journal?: boolean };
  /** Violations with the first of which the life ends. @default none: it is lived to its end */
  readonly endsWith?: readonly Violation['id'][];
  /** Clocks of all processes; the rates of the others deviate from 1 to the other side of the first one's. */
  readonly process?: ProcessOptions;
}

/** Result of a life. */
export interface Verdict {
  /** The worse outcome of the two rests: before and after deletion. */
  readonly outcome: EndState['outcome'];
  readonly duplicates: number;
  readonly leaks: number;
  readonly violations: readonly Violation[];
  readonly struck: readonly Fault[];
  readonly effects: number;
  readonly coverage: Counts;
  readonly trace: readonly string[];
}

/** Minimum duration of a rest, and the longest wait for one, ms. */
const calm = 60_000;
const patience = 1_800_000;

/** Largest number of questions that a person answers in one life. */
const maxAnswers = 4;

/** A life in progress. */
class Life {
  readonly invariants: Invariants;
  readonly world: World;
  readonly trace: string[] = [];
  readonly coverage: Coverage;
  readonly #options: LifeOptions;
  readonly #thirdParty: ThirdParty;
  readonly #actors: Actors;
  readonly #supervisor: Supervisor;
  readonly #history: History;
  readonly #messages: Messages;

  constructor(options: LifeOptions) {
    this.#options = options;
    const { arena, identity, protocol = theGuard(), traits = {}, process = {} } = options;
    const scheduler = createScheduler(() => this.#step());
    const note = (who: string, what: string): void =>
      void this.trace.push(`${Math.round(scheduler.now)} ${who} ${what}`);
    const plan = new FaultPlan(options.faults);
    const act = (fault: Fault): Promise<void> => {
      this.#step();
      return this.#actors.act(fault);
    };
    this.world = {
      scheduler,
      random: randomOf(options.seed),
      plan,
      streams: new Streams(),
      owners: new Owners(),
      act,
      note,
    };
    this.coverage = new Coverage(identity);
    this.#history = new History(() => scheduler.now);
    this.#messages = new Messages(() => scheduler.now);
    this.invariants = new Invariants(this.world, protocol.guarded);
    this.#thirdParty = new ThirdParty(this.world, this.invariants, bounds.listLag);
    const { world, invariants } = this;
    const thirdParty = this.#thirdParty;
    const tell = (text: string): void => {
      this.#messages.hear(text);
      invariants.heard(text);
    };
    const supervisor = new Supervisor(world, { arena, thirdParty, protocol, identity, traits, process, tell });
    this.#supervisor = supervisor;
    this.#actors = new Actors({ world, arena, thirdParty, invariants, history: this.#history, supervisor });
  }

  async run(): Promise<EndState> {
    const { arena, replicas = 1, joinAfter = 0, horizon = 120_000 } = this.#options;
    const { scheduler, plan, random, note } = this.world;
    const cluster = new Process(this.world, 'cluster', { unseen: true });
    await arena.enter({
      clock: cluster.clock,
      random: random.fork('cluster').next,
      route: (name, request, next) => this.#supervisor.send(name, request, next),
    });
    await this.#actors.create();
    this.#supervisor.start('A');
    for (const letter of ['B', 'C'].slice(0, replicas - 1))
      if (joinAfter === 0) this.#supervisor.start(letter);
      else scheduler.after(joinAfter, () => this.#supervisor.start(letter));
    for (const fault of plan.timed) scheduler.after(fault.at, () => void this.#actors.act(fault));
    await this.#runTo(horizon);
    plan.end();
    note('world', 'the bad times are over');
    await this.#actors.clearUp();
    if (this.#supervisor.condition !== condition) {
      // The name goes back once every process has recorded its things under the new one.
      await this.#runTo(scheduler.now + calm);
      await this.#actors.clearUp();
    }
    const rest = await this.#toTheEnd();
    this.#supervisor.end();
    checkMessages(plan, this.#messages, this.invariants);
    return rest;
  }

  /** Reports whether a violation was found that ends the life. */
  get #isOver(): boolean {
    const { endsWith = [] } = this.#options;
    return this.invariants.violations.some(({ id }) => endsWith.includes(id));
  }

  /** Continues until a time, or less far: until something is true, or the life is over. */
  #runTo(limit: number, until = () => false): Promise<void> {
    return this.world.scheduler.run(limit, () => this.#isOver || until());
  }

  /** Runs to the two rests: before deletion, and after it. */
  async #toTheEnd(): Promise<EndState> {
    const first = await this.#answeredRest();
    if (this.#options.arena.workspaces().length === 0) return first;
    this.world.note('user', 'deletes the workspace');
    await this.#actors.deleteAll();
    const last = await this.#answeredRest();
    return worseEnd(first, last);
  }

  #step(): void {
    const { arena } = this.#options;
    const workspaces = arena.workspaces();
    this.invariants.step(workspaces, this.#thirdParty.things);
    this.#supervisor.tell(workspaces);
    this.#messages.see(workspaces);
    this.coverage.see(workspaces);
    const workspace = arena.workspace(workspaceKey);
    if (workspace !== undefined) this.#history.saw(workspace);
    if (this.#actors.recreating && workspace === undefined) void this.#actors.step();
  }

  #look(): Condition {
    const { pending } = this.invariants;
    const { recreating } = this.#actors;
    const { arena, protocol, expects } = this.#options;
    return endCondition(arena.workspaces(), this.#thirdParty.things, {
      moving: pending > 0 || recreating,
      condition: this.#supervisor.condition,
      owners: this.world.owners,
      journal: expects?.journal ?? false,
      wanted: (workspace) => (protocol?.slots?.(workspace) ?? ['']).length,
    });
  }

  /** Waits until nothing happens any more and a person has answered every question. */
  async #answeredRest(): Promise<EndState> {
    const first = await this.#rest();
    let rest = first;
    for (let answers = 0; rest.outcome === 'human' && answers < maxAnswers; answers += 1) {
      await this.#actors.answer();
      rest = await this.#rest();
    }
    if (first.outcome === 'human' && this.#options.expects?.nobodyAsked)
      this.invariants.violate('I7', 'a person is asked without need');
    if (rest.outcome === 'human' && !this.#options.arena.workspaces().every(isRecordedTwice))
      this.invariants.violate('I7', `still asks a person after ${maxAnswers} answers`);
    return worseEnd(first, rest);
  }

  /** Waits until nothing happens any more. */
  async #rest(): Promise<EndState> {
    const { scheduler } = this.world;
    const limit = scheduler.now + patience;
    do {
      await this.#runTo(limit, () => this.#look().settled);
      await this.#runTo(scheduler.now + calm);
    } while (!this.#isOver && !this.#look().settled && scheduler.now < limit);
    const { rest, wrong } = this.#look();
    this.world.note('world', `at rest: ${rest.outcome}, ${rest.duplicates} duplicates, ${rest.leaks} leaks`);
    for (const { id, text } of wrong) this.invariants.violate(id, text);
    this.invariants.atRest(this.#options.arena.workspaces(), this.#thirdParty.things);
    return rest;
  }
}

/** Runs one life. */
export async function live(options: LifeOptions): Promise<Verdict> {
  const life = new Life(options);
  const { outcome, duplicates, leaks } = await life.run();
  const { invariants, world, trace, coverage } = life;
  const { struck, effects } = world.plan;
  return {
    outcome,
    duplicates,
    leaks,
    violations: invariants.violations,
    struck,
    effects,
    coverage: coverage.counts,
    trace,
  };
}

/** Reports whether a life was stuck or broke a guarantee. */
export const isFailure = ({ outcome, violations }: Verdict): boolean => outcome === 'stuck' || violations.length > 0;
