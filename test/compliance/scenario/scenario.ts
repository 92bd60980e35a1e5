/** One run of a compliance case: a third party, workspaces and a sequence of sequencers. */

import {
  conditionOf,
  type Integration,
  ignoreNotFound,
  isDeleting,
  type ObjectMeta,
  type Patch,
  Workspace,
  type Workspace as WorkspaceObject,
  type WorkspaceSpec,
} from '../../../sdk/index.ts';
import { coverageOf } from '../observation/coverage.ts';
import type { FaultPlan, SequencerProcess } from '../observation/effect.ts';
import { Effects } from '../observation/effects.ts';
import { invocation } from '../observation/invocations.ts';
import { Observations } from '../observation/observations.ts';
import { observedIntegration } from '../observation/observed-integration.ts';
import { trackGlobals } from '../observation/tracked-globals.ts';
import {
  checkedThirdParty,
  type IntegrationContext,
  type RemoteObject,
  type Subject,
  type ThirdParty,
} from '../subject/subject.ts';
import { beginStep, changeHooks, expectRest } from './change-hooks.ts';
import { expectNoMistake, withDiagnosis } from './diagnosis.ts';
import { integrationContextOf } from './integration-context.ts';
import { descriptionsOf } from './remote-objects.ts';
import { runSequencer } from './sequencer-process.ts';
import { environmentFor, type MadeObject, objectsMadeIn, type TestEnvironment } from './test-environment.ts';
import { main, namesake } from './workspace-names.ts';

/** One third party, some workspaces, and sequencers that run one after the other. */
export class Scenario {
  readonly subject: Subject;
  readonly effects: Effects;
  /** Record of the integration's calls. */
  readonly record: Observations;
  /** Written states of workspaces, and events, as texts. */
  readonly writtenTexts: string[] = [];
  /** External objects at the last crash. */
  atCrash: readonly RemoteObject[] = [];
  /** Condition when it was last read. */
  condition = '';
  /** Type of the subject's condition. */
  readonly conditionType: string;
  readonly environment: TestEnvironment;
  readonly #party: ThirdParty;
  #sequencer: SequencerProcess = { number: 0, dead: true };
  #ending = new AbortController();
  #crashes: Promise<void> = Promise.resolve();

  private constructor(
    subject: Subject,
    environment: TestEnvironment,
    { party, plan }: { party: ThirdParty; plan: FaultPlan },
  ) {
    this.subject = subject;
    this.environment = environment;
    this.#party = party;
    this.record = new Observations(coverageOf(subject));
    const isQuick = subject.time !== 'real' && subject.target !== 'cluster';
    this.effects = new Effects(plan, {
      failures: subject.failures ?? {},
      remote: isQuick ? async () => (await this.describeRemote()).join('\n') : undefined,
      onCrash: () => invocation.exit(() => this.crash()),
      ...changeHooks(this.record, environment.clock),
    });
    this.conditionType = this.integration().condition;
  }

  /** Runs `act` in a scenario with its own environment. @throws Finding with the symptoms and their likely cause */
  static async during<T>(subject: Subject, act: (scenario: Scenario) => Promise<T>, plan: FaultPlan = {}): Promise<T> {
    const environment = await environmentFor(subject, plan.usualDuration);
    const party = checkedThirdParty(await subject.start(environment));
    const scenario = new Scenario(subject, environment, { party, plan });
    const untrack = trackGlobals(subject.time !== 'real');
    try {
      const result = await act(scenario);
      expectNoMistake(scenario);
      return result;
    } catch (error) {
      throw withDiagnosis(error, scenario);
    } finally {
      scenario.stopSequencer();
      await scenario.#crashes.catch(() => undefined);
      await party.close?.();
      await environment.close();
      untrack();
    }
  }

  /** Number of the current run of the sequencer. */
  get run(): number {
    return this.#sequencer.number;
  }

  create(spec: WorkspaceSpec = this.subject.spec, more: Partial<ObjectMeta> = {}): Promise<WorkspaceObject> {
    const { name = main, ...metadata } = more;
    return this.environment.client.create(Workspace, { metadata: { ...metadata, ...this.#key(name) }, spec });
  }

  async edit(spec: WorkspaceSpec, name = main): Promise<void> {
    await this.#patch({ type: 'json', operations: [{ op: 'replace', path: '/spec', value: spec }] }, { name });
  }

  async annotate(annotations: Readonly<Record<string, string | null>>, name = main): Promise<void> {
    await this.#patch({ type: 'merge', value: { metadata: { annotations } } }, { name });
  }

  /** Overwrites or removes the journal from outside. */
  async journal(guards: object | null): Promise<void> {
    await this.#patch({ type: 'merge', value: { status: { guards } } }, { subresource: 'status' });
  }

  delete(name = main): Promise<unknown> {
    return this.environment.client.delete(Workspace, this.#key(name));
  }

  /** Reads a workspace; undefined once it is gone. */
  async read(name = main): Promise<WorkspaceObject | undefined> {
    return ignoreNotFound(this.environment.client.get(Workspace, this.#key(name)));
  }

  /** Returns `Status: reason` of the subject's condition; `Gone` once the workspace is gone. */
  async readCondition(name = main): Promise<string> {
    const workspace = await this.read(name);
    if (workspace === undefined) return 'Gone: the workspace is away';
    const { status, reason } = conditionOf(workspace, this.conditionType);
    return `${isDeleting(workspace) ? 'Deleting, ' : ''}${status}: ${reason}`;
  }

  async remote(): Promise<readonly RemoteObject[]> {
    return this.#party.remote();
  }

  /** Creates the integration as a starting process would. */
  integration(clock = this.environment.clock): Integration {
    return this.#party.integration(this.#integrationContext(clock));
  }

  /** Returns the environment of the integration in the current run of the sequencer. */
  #integrationContext(clock = this.environment.clock): IntegrationContext {
    return integrationContextOf(this.effects, this.#sequencer, {
      fetch: this.#party.fetch,
      random: this.environment.random,
      clock,
    });
  }

  /** Changes external objects from outside. @throws TypeError when the third party has no `causeDrift` */
  async causeDrift(): Promise<void> {
    if (this.#party.causeDrift === undefined)
      throw new TypeError('testIntegration: drift needs a function causeDrift() of what start() answers');
    await this.#party.causeDrift();
  }

  async describeRemote(): Promise<readonly string[]> {
    return descriptionsOf(await this.remote());
  }

  /** Returns the objects in the workspace's namespace, without those of the cluster itself. */
  madeInCluster = (): Promise<readonly MadeObject[]> => objectsMadeIn(this.environment);

  /** Starts a run of the sequencer unless one is alive. */
  startSequencer(): void {
    if (this.#sequencer.dead) this.#begin();
  }

  /** Crashes the sequencer: its requests no longer arrive, and it gets no responses. None runs until one is started. */
  stopSequencer(): void {
    this.#sequencer.dead = true;
    this.#ending.abort();
  }

  /** Crashes the sequencer: its requests no longer arrive, and it gets no responses. The next run starts at once. */
  crash(): void {
    this.stopSequencer();
    this.#crashes = this.#crashes.then(async () => {
      this.atCrash = await this.remote();
    });
    this.#crashes.catch(() => undefined); // thrown by the next step
    this.#begin();
  }

  /** Runs a sequencer for a number of steps. */
  async work(steps = 8): Promise<void> {
    for (this.startSequencer(); steps > 0; steps -= 1) await this.#step();
  }

  /** Runs a sequencer until a predicate holds. @returns whether it holds */
  async until(holds: () => Promise<boolean> | boolean): Promise<boolean> {
    this.startSequencer();
    const end = this.environment.clock.monotonic() + this.environment.settle;
    while (this.environment.clock.monotonic() < end) {
      if (await holds()) return true;
      await this.#step();
    }
    return holds();
  }

  /** Runs a sequencer until the condition of a workspace begins with one of these statuses. @returns whether it does */
  comesTo(statuses: readonly string[], name = main): Promise<boolean> {
    return this.until(async () => {
      this.condition = await this.readCondition(name);
      return statuses.some((status) => this.condition.startsWith(`${status}:`));
    });
  }

  async wait(ms: number): Promise<void> {
    const end = this.environment.clock.monotonic() + ms;
    await this.until(() => this.environment.clock.monotonic() >= end);
  }

  async #step(): Promise<void> {
    beginStep(this.effects, this.record);
    await this.environment.advance(this.environment.step, () => this.effects.inProgress > 0);
    expectRest(this.effects, this.record);
    await this.#crashes;
  }

  #key(name: string) {
    const { namespace, otherNamespace = namespace } = this.environment;
    return name === namesake ? { namespace: otherNamespace, name: main } : { namespace, name };
  }

  #patch(patch: Patch, { name = main, ...options }: { name?: string; subresource?: 'status' }) {
    return this.environment.client.patch(Workspace, this.#key(name), patch, options);
  }

  #begin(): void {
    const current: SequencerProcess = { number: this.#sequencer.number + 1, dead: false };
    this.#sequencer = current;
    this.record.run = current.number;
    this.record.fetch = this.#integrationContext().fetch;
    this.#ending = new AbortController();
    runSequencer(current, {
      environment: this.environment,
      effects: this.effects,
      integration: observedIntegration(this.integration(), this.record),
      target: this.subject.target,
      texts: this.writtenTexts,
      signal: this.#ending.signal,
    });
  }
}
