/** Record of the calls of an integration in one scenario. */

import type { ExternalResource, Owner, Ref } from '../../../sdk/index.ts';
import type { Coverage } from './coverage.ts';
import type { FunctionName, Invocation } from './invocations.ts';

/** Resource of the integration, with unknown types. */
export type AnyResource = ExternalResource<object, Ref>;

/** Created external object, with the arguments for calls about it. */
export interface CreatedObject {
  readonly resource: AnyResource;
  readonly wanted: object;
  readonly owner: Owner;
  readonly key: string;
  readonly id: Ref;
}

/** Recorded calls of an integration's functions in one scenario. */
export class Observations {
  readonly coverage: Coverage;
  /** Detected mistakes, each with its fix. */
  readonly mistakes = new Set<string>();
  /** Possible mistakes, reported where the scenario fails, each with its fix. */
  readonly suspicions = new Set<string>();
  /** Change whose response was lost, of the last creation that threw. */
  lost: string | undefined;
  /** Messages of the controller about results and arguments that it has refused. */
  readonly refused = new Set<string>();
  /** All errors that the functions threw, in order. */
  readonly thrown: {
    readonly name: FunctionName;
    readonly error: unknown;
    /** True when none of its calls had a fault. */
    readonly isUnbroken: boolean;
  }[] = [];
  /** Pending calls with the sequencer's run that made them. */
  readonly pendingCalls = new Map<Invocation, number>();
  /** Number of the current run of the sequencer. */
  run = 0;
  /** `fetch` of that run. */
  fetch: typeof globalThis.fetch | undefined;
  /** Created objects by slot. */
  readonly made = new Map<string, CreatedObject>();
  /** Resources of the newest run, by label. */
  readonly resources = new Map<string, AnyResource>();
  /** Last desired states. */
  wanted: readonly object[] = [];
  /** Finalizers that the integration has set itself, and not removed since. */
  readonly finalizers = new Set<string>();
  /** Names of the members of the last secret that `create` has answered, sorted, by label of the resource. */
  readonly secretMembers = new Map<string, readonly string[]>();
  /** Secrets returned by `create` and `secretOf`. */
  readonly secrets = new Set<string>();
  /** Calls of reconcile and terminate within this step of the clock. */
  turns = 0;
  /** Number of requeue delays of less than a second, by their ms. */
  readonly shortRequeues = new Map<number, number>();
  /** Requeue delay of the last reconcile or terminate, in ms. */
  requeueAfter: number | undefined;

  /** Function of the last turn, where it answered without an error and did not say when to come back. */
  quiet: 'reconcile' | 'terminate' | undefined;

  constructor(coverage: Coverage) {
    this.coverage = coverage;
  }

  /** True when reconcile has thrown before, and does nothing about its condition any more. */
  get hasGivenUp(): boolean {
    return this.quiet === 'reconcile' && this.thrown.some(({ name }) => name === 'reconcile');
  }

  /** Records possible mistakes. */
  suspect(suspicions: readonly (string | undefined)[]): void {
    for (const suspicion of suspicions) if (suspicion !== undefined) this.suspicions.add(suspicion);
  }
}
