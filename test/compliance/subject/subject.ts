/** Description of an integration under test. */

import {
  type Client,
  type Clock,
  type Integration,
  refuseUnknown,
  unknownIn,
  type WorkspaceSpec,
} from '../../../sdk/index.ts';
import type { CaseName } from './case-names.ts';
import { caseNames } from './case-names.ts';
import type { Failures } from './failures.ts';

/**
 * Environment of an integration in one run of the sequencer. All calls to the third party go through it: the kit records them, injects faults, and
 * ends them with the run.
 */
export interface IntegrationContext {
  /** Source of all time. */
  readonly clock: Clock;
  /** Source of all randomness, such as the jitter of an interval: numbers from 0 up to 1, equal in each scenario in virtual time. */
  random(this: void): number;
  /** For third parties over HTTP: a server, or the third party's `fetch`. The response's body is read before it is returned. */
  readonly fetch: typeof globalThis.fetch;
  /** For all others: wraps an object so that each method is a call to the third party. Methods return promises. */
  through<Api extends object>(api: Api): Api;
}

/** Environment in which a third party is started. */
export interface StartContext {
  readonly clock: Clock;
  /** Administrator's client for the cluster of the workspaces. */
  readonly client: Client;
  /** Namespace of the workspaces. */
  readonly namespace: string;
}

/** External object: a description that is equal in equal scenarios (`A www.example.com 10.0.0.1`), optionally with its id for reports. */
export type RemoteObject = string | { readonly what: string; readonly id: string };

/** Empty third party and the integration that uses it. */
export interface ThirdParty {
  /** Called for each run of the sequencer, as a starting process would: the integration's memory ends with the run. */
  integration(run: IntegrationContext): Integration;
  /** Returns all existing external objects. */
  remote(): readonly RemoteObject[] | Promise<readonly RemoteObject[]>;
  /** Removes or changes an external object from outside, for subjects that declare `drift`. */
  causeDrift?(): void | Promise<void>;
  /** Answers `run.fetch` for a third party within the test. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** Called after the test. */
  close?(): void | Promise<void>;
}

/** Time limits in ms. */
export interface TimeLimits {
  /** Lease of an attempt without a heartbeat: whole seconds. @default 5000; 1000 in real time */
  readonly lease?: number;
  /** Time within which an abandoned request may still be carried out. @default 2000; 300 in real time */
  readonly maxRequest?: number;
  /** Time to come to rest. @default 600 000; 60 000 in real time */
  readonly settle?: number;
}

/** Defaults of the limits, in virtual and in real time. */
export const timeLimits = {
  virtual: { lease: 5_000, maxRequest: 2_000, settle: 600_000 },
  real: { lease: 1_000, maxRequest: 300, settle: 60_000 },
} as const satisfies Readonly<Record<string, Required<TimeLimits>>>;

/** Integration under test: its properties, its specs and its third party. */
export interface Subject {
  /**
   * Way in which a creation with a lost response is found again. With `opaque` and `key`, the condition may end in `Unknown` where the journal cannot
   * tell its outcome; duplicates are not created even then.
   */
  readonly identity: 'name' | 'tag' | 'key' | 'opaque';
  /** Spec that requests the integration. */
  readonly spec: WorkspaceSpec;
  /** Other spec, with different external objects: best with each mutable member changed, of the same objects. */
  readonly edited?: WorkspaceSpec;
  /** Spec that does not request the integration. @default an empty one */
  readonly unhandled?: WorkspaceSpec;
  /** Failures of the third party: `httpFailures`, `clusterFailures` or its own. */
  readonly failures?: Failures;
  /** Texts that must never appear in a workspace, an event, a log or an error, in any encoding. */
  readonly secrets?: readonly string[];
  /** Two workspaces with the same spec: `exclusive`, one gets the object and the other reports that it does not; `separate`, each gets its own. */
  readonly sameName?: 'exclusive' | 'separate';
  /** `cluster`: its external objects are cluster objects, made through its controller. @default 'outside' */
  readonly target?: 'outside' | 'cluster';
  /** `fixed`: external changes are detected and corrected within `limits.settle`; the third party's `causeDrift` makes them. */
  readonly drift?: 'fixed';
  /** Excluded cases with the reasons, which are reported. */
  readonly cannot?: Readonly<Partial<Record<CaseName, string>>>;
  /** `real`: for third parties that need the system's clock. @default 'virtual' */
  readonly time?: 'virtual' | 'real';
  /** Cluster of the workspaces, for real time. @default one in memory */
  readonly kubeconfig?: string;
  readonly limits?: TimeLimits;
  /** Starts an empty third party for each scenario of each test. */
  start(host: StartContext): ThirdParty | Promise<ThirdParty>;
}

/** `test` of AVA, node:test, Vitest, or any function that registers a title and a function; `skip` shows cases that are not proved as skipped. */
export interface TestFunction {
  (title: string, run: (context?: unknown) => Promise<void>): unknown;
  readonly skip?: (title: string, run: (context?: unknown) => Promise<void>) => unknown;
}

const known: Readonly<Record<keyof Subject, readonly string[] | 'any'>> = {
  identity: ['name', 'tag', 'key', 'opaque'],
  spec: 'any',
  edited: 'any',
  unhandled: 'any',
  failures: 'any',
  secrets: 'any',
  sameName: ['exclusive', 'separate'],
  target: ['outside', 'cluster'],
  drift: ['fixed'],
  cannot: 'any',
  time: ['virtual', 'real'],
  kubeconfig: 'any',
  limits: 'any',
  start: 'any',
};
const parts: Readonly<Record<string, readonly string[]>> = {
  failures: ['definite', 'ambiguous', 'throttled'],
  limits: ['lease', 'maxRequest', 'settle'],
  cannot: caseNames,
};

function refuse(member: string, expected: string): never {
  throw new TypeError(`testIntegration: ${member} ${expected}`);
}

function checkChoices(subject: Subject): void {
  for (const [member, allowed] of Object.entries(known)) {
    const value = subject[member as keyof Subject];
    const wrong = allowed !== 'any' && value !== undefined && !allowed.includes(value as string);
    if (wrong) refuse(member, `must be one of ${allowed.join(', ')}, found ${JSON.stringify(value)}`);
  }
}

function checkParts(subject: Subject): void {
  for (const [part, members] of Object.entries(parts)) {
    const mistake = unknownIn((subject[part as keyof Subject] ?? {}) as object, members, `${part}.`);
    if (mistake !== undefined) throw new TypeError(`testIntegration: ${mistake}`);
  }
}

/** Validates a subject. @throws TypeError naming the missing, invalid or unknown member */
export function checkedSubject(subject: Subject): Subject {
  refuseUnknown('testIntegration', subject, Object.keys(known));
  checkChoices(subject);
  if (subject.identity === undefined) refuse('identity', 'is missing: name, tag, key or opaque');
  if (typeof subject.spec !== 'object') refuse('spec', 'must be the spec of a workspace that asks for the integration');
  if (typeof subject.start !== 'function') refuse('start', 'must be a function (host) => { integration, remote }');
  if ((subject.limits?.lease ?? 0) % 1000 !== 0)
    refuse('limits.lease', 'must be whole seconds: journals count in them');
  if (subject.kubeconfig !== undefined && subject.time !== 'real') refuse('kubeconfig', "needs time: 'real'");
  checkParts(subject);
  return subject;
}

/** Validates the result of `start`. @throws TypeError naming the missing member */
export function checkedThirdParty(party: ThirdParty): ThirdParty {
  for (const member of ['integration', 'remote'] as const)
    if (typeof party?.[member] !== 'function') refuse('start()', `must answer a function ${member}`);
  return party;
}
