import {
  conditionOf,
  type Integration,
  ifThere,
  isDeleting,
  messageOf,
  type ObjectMeta,
  type Patch,
  Workspace,
  type Workspace as WorkspaceObject,
  type WorkspaceSpec,
} from '../../sdk/index.ts';
import { createSequencer } from '../../sequencer/index.ts';
import { coverageOf } from './coverage.ts';
import { explained } from './diagnosis.ts';
import { Effects, type Liver, type Plan } from './effects.ts';
import { gatedClient } from './gated-client.ts';
import { Observations, observedIntegration } from './observed.ts';
import { Finding } from './report.ts';
import { runOf } from './run.ts';
import { checkedParty, type Party, type Subject, type Thing } from './subject.ts';
import { type MadeObject, objectsMadeIn, type World, worldFor } from './world.ts';

/** The workspace that most is about. */
const main = 'subject';

/** Stands for the workspace of the same name in another namespace. */
export const namesake = 'its namesake';

const wordsOf = (thing: Thing): string => (typeof thing === 'string' ? thing : thing.what);

/** Things in words that are the same in every life. */
export const inWords = (things: readonly Thing[]): readonly string[] => things.map(wordsOf).sort();

/** One third party, some workspaces, and the sequencers that come one after the other. */
export class Life {
  readonly subject: Subject;
  readonly effects: Effects;
  /** What the functions of the integration did. */
  readonly record: Observations;
  /** Everything that was written of workspaces, and every event. */
  readonly said: string[] = [];
  /** What existed when a run died. */
  atDeath: readonly Thing[] = [];
  /** The condition as it was when last looked at. */
  condition = '';
  /** Its type: what the subject answers for. */
  readonly conditionType: string;
  readonly world: World;
  readonly #party: Party;
  #liver: Liver = { number: 0, dead: true };
  #ending = new AbortController();
  #deaths: Promise<void> = Promise.resolve();

  private constructor(subject: Subject, world: World, { party, plan }: { party: Party; plan: Plan }) {
    this.subject = subject;
    this.world = world;
    this.#party = party;
    this.record = new Observations(coverageOf(subject));
    const isQuick = subject.time !== 'real' && subject.reaches !== 'cluster';
    this.effects = new Effects(plan, {
      failures: subject.failures ?? {},
      remote: isQuick ? async () => (await this.words()).join('\n') : undefined,
      onCrash: () => this.die(),
      onIntrusion: (reader, { name }) =>
        this.record.mistakes.add(
          `${reader} changed what exists at the third party by ${name}: only create, update, delete and the task of a guard may`,
        ),
    });
    this.conditionType = this.integration().condition;
  }

  /** Lives in a world of its own, and ends it. @throws Finding that says what was seen and which mistake it is likely to come of */
  static async during<T>(subject: Subject, act: (life: Life) => Promise<T>, plan: Plan = {}): Promise<T> {
    const world = await worldFor(subject);
    const party = checkedParty(await subject.start(world));
    const life = new Life(subject, world, { party, plan });
    try {
      const result = await act(life);
      const mistakes = [...life.record.mistakes];
      if (mistakes.length > 0) throw new Finding(mistakes.join('\n'), mistakes);
      return result;
    } catch (error) {
      throw explained(error, life);
    } finally {
      life.stop();
      await party.close?.();
      await world.close();
    }
  }

  /** Which run of the sequencer is alive. */
  get run(): number {
    return this.#liver.number;
  }

  create(spec: WorkspaceSpec = this.subject.spec, more: Partial<ObjectMeta> = {}): Promise<WorkspaceObject> {
    const { name = main, ...metadata } = more;
    return this.world.client.create(Workspace, { metadata: { ...metadata, ...this.#key(name) }, spec });
  }

  async edit(spec: WorkspaceSpec, name = main): Promise<void> {
    await this.#patch({ type: 'json', operations: [{ op: 'replace', path: '/spec', value: spec }] }, { name });
  }

  async annotate(annotations: Readonly<Record<string, string | null>>, name = main): Promise<void> {
    await this.#patch({ type: 'merge', value: { metadata: { annotations } } }, { name });
  }

  /** Somebody else writes the journal, or takes it away. */
  async journal(guards: object | null): Promise<void> {
    await this.#patch({ type: 'merge', value: { status: { guards } } }, { subresource: 'status' });
  }

  delete(name = main): Promise<unknown> {
    return this.world.client.delete(Workspace, this.#key(name));
  }

  /** A workspace; undefined once it is gone. */
  async read(name = main): Promise<WorkspaceObject | undefined> {
    return ifThere(this.world.client.get(Workspace, this.#key(name)));
  }

  /** `Status: reason` of the subject's condition; `Gone` once the workspace is. */
  async look(name = main): Promise<string> {
    const workspace = await this.read(name);
    if (workspace === undefined) return 'Gone: the workspace is away';
    const { status, reason } = conditionOf(workspace, this.conditionType);
    return `${isDeleting(workspace) ? 'Deleting, ' : ''}${status}: ${reason}`;
  }

  async remote(): Promise<readonly Thing[]> {
    return this.#party.remote();
  }

  /** The integration as a process that starts has it. */
  integration(clock = this.world.clock): Integration {
    return this.#party.integration(runOf(this.effects, this.#liver, { fetch: this.#party.fetch, clock }));
  }

  /** Somebody else changes what is there. @throws TypeError when the party has nobody for that */
  async spoil(): Promise<void> {
    if (this.#party.spoil === undefined)
      throw new TypeError('testIntegration: drift needs a function spoil() of what start() answers');
    await this.#party.spoil();
  }

  async words(): Promise<readonly string[]> {
    return inWords(await this.remote());
  }

  /** The objects in the workspace's namespace that the cluster has not made itself. */
  madeInCluster(): Promise<readonly MadeObject[]> {
    return objectsMadeIn(this.world);
  }

  /** The first run of the sequencer begins, unless one is alive. */
  wake(): void {
    if (this.#liver.dead) this.#begin();
  }

  /** The sequencer dies: nothing it sends arrives any more, nothing comes back. None works until it is woken. */
  stop(): void {
    this.#liver.dead = true;
    this.#ending.abort();
  }

  /** The sequencer dies: nothing it sends arrives any more, nothing comes back. Another one begins at once. */
  die(): void {
    this.stop();
    this.#deaths = this.#deaths.then(async () => {
      this.atDeath = await this.remote();
    });
    this.#begin();
  }

  /** Lets a sequencer work for some steps. */
  async work(steps = 8): Promise<void> {
    this.wake();
    for (let step = 0; step < steps; step += 1) await this.#pass();
  }

  /** Lets it work until something holds. @returns whether it came to that */
  async until(holds: () => Promise<boolean> | boolean): Promise<boolean> {
    this.wake();
    const { clock, settle } = this.world;
    const end = clock.monotonic() + settle;
    while (clock.monotonic() < end) {
      if (await holds()) return true;
      await this.#pass();
    }
    return holds();
  }

  /** Lets it work until the condition of a workspace begins with one of these. @returns whether it came to that */
  comesTo(statuses: readonly string[], name = main): Promise<boolean> {
    return this.until(async () => {
      this.condition = await this.look(name);
      return statuses.some((status) => this.condition.startsWith(`${status}:`));
    });
  }

  /** Lets time pass. */
  async wait(ms: number): Promise<void> {
    const end = this.world.clock.monotonic() + ms;
    await this.until(() => this.world.clock.monotonic() >= end);
  }

  async #pass(): Promise<void> {
    await this.world.pass(this.world.step, () => this.effects.underWay > 0);
    await this.#deaths;
  }

  #key(name: string) {
    const { namespace, elsewhere = namespace } = this.world;
    return name === namesake ? { namespace: elsewhere, name: main } : { namespace, name };
  }

  #patch(patch: Patch, { name = main, ...options }: { name?: string; subresource?: 'status' }) {
    return this.world.client.patch(Workspace, this.#key(name), patch, options);
  }

  #begin(): void {
    const { clock, times, retry, client, namespace, elsewhere } = this.world;
    const liver: Liver = { number: this.#liver.number + 1, dead: false };
    this.#liver = liver;
    this.record.run = liver.number;
    this.#ending = new AbortController();
    const witness = (kind: string, written: unknown): void => {
      if (kind !== 'Secret') this.said.push(JSON.stringify(written) ?? '');
    };
    const others = this.subject.reaches === 'cluster' ? 'call' : 'write';
    const sequencer = createSequencer({
      client: gatedClient(client, { effects: this.effects, liver, others, witness }),
      integrations: [observedIntegration(this.integration(), this.record)],
      ...(elsewhere === undefined && { namespace }),
      clock,
      times,
      retry,
      drain: 1,
      holder: `run-${liver.number}`,
      events: { event: (...[, , reason, message]) => void this.said.push(`${reason} ${message}`) },
    });
    sequencer.run(this.#ending.signal).catch((error: unknown) => {
      if (!liver.dead && !this.#ending.signal.aborted) this.said.push(`the sequencer ended: ${messageOf(error)}`);
    });
    sequencer.synced.catch(() => undefined);
  }
}
