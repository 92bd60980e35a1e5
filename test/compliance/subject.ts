import {
  type Client,
  type Clock,
  type Integration,
  refuseUnknown,
  unknownIn,
  type WorkspaceSpec,
} from '../../sdk/index.ts';
import type { CaseName } from './case-names.ts';
import { caseNames } from './case-names.ts';
import type { Failures } from './failures.ts';

/** What one run of the sequencer hands to the integration it makes. Whatever goes to the third party goes through it: so the kit sees it, breaks it, and ends it when the run dies. */
export interface Run {
  /** All time has to come from here. */
  readonly clock: Clock;
  /** For third parties that speak HTTP: a server, or `fetch` of the party. The answer's body is read before it is handed on. */
  readonly fetch: typeof globalThis.fetch;
  /** For all others: the same object, each of whose methods is a call to the third party. Methods answer promises. */
  through<Api extends object>(api: Api): Api;
}

/** Where a third party is started. */
export interface Host {
  readonly clock: Clock;
  /** An administrator's, for the cluster that the workspaces are in. */
  readonly client: Client;
  /** Where the workspaces are. */
  readonly namespace: string;
}

/** Something that exists at the third party, in words that are the same in every run (`A www.example.com 10.0.0.1`); with an id of its own the report can name it. */
export type Thing = string | { readonly what: string; readonly id: string };

/** A third party with nothing in it, and the integration that uses it. */
export interface Party {
  /** Called for every run of the sequencer, as a process that starts would: what the integration remembers dies with the run. */
  integration(run: Run): Integration;
  /** Everything that exists there now. */
  remote(): readonly Thing[] | Promise<readonly Thing[]>;
  /** Removes or changes something of what exists there, as somebody else would: for subjects that declare `drift`. */
  spoil?(): void | Promise<void>;
  /** Answers what `run.fetch` asks, for a third party that speaks HTTP inside of the test. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** Called after the test. */
  close?(): void | Promise<void>;
}

/** How long things may take, in ms. */
export interface Limits {
  /** How long an attempt may work without a beat: whole seconds. @default 5000; 1000 in real time */
  readonly lease?: number;
  /** How long a request that was given up may still be carried out. @default 2000; 300 in real time */
  readonly maxRequest?: number;
  /** How long anything may take to come to rest. @default 600 000; 30 000 in real time */
  readonly settle?: number;
}

/** An integration to be proved: what it is, what it can, and how its third party is started. */
export interface Subject {
  /** How a creation whose answer was lost is found again. `opaque` and `key` may leave a question to a person where the journal cannot answer it; nothing is made twice even so. */
  readonly identity: 'name' | 'tag' | 'key' | 'opaque';
  /** What a workspace asks for. */
  readonly spec: WorkspaceSpec;
  /** Another one, of which something else exists at the third party: best with every member changed that may change, of the same things. */
  readonly edited?: WorkspaceSpec;
  /** One that does not ask for it. @default an empty one */
  readonly unasked?: WorkspaceSpec;
  /** What a call ends with when the third party fails: `httpFailures`, `clusterFailures` or its own. */
  readonly failures?: Failures;
  /** Texts that must never show in a workspace, an event, a log or an error, in any encoding. */
  readonly secrets?: readonly string[];
  /** Two workspaces with the same spec: `exclusive`, one gets it and the other says that it does not; `separate`, each gets its own. */
  readonly sameName?: 'exclusive' | 'separate';
  /** `cluster`: what it makes are objects of the cluster, through its controller. @default 'outside' */
  readonly reaches?: 'outside' | 'cluster';
  /** `mended`: it notices in time, within `limits.settle`, what somebody changes at the third party, and puts it right; `spoil` of the party is that somebody. */
  readonly drift?: 'mended';
  /** What it cannot do, and why: skipped, and said so. */
  readonly cannot?: Readonly<Partial<Record<CaseName, string>>>;
  /** `real`: for third parties that need the system's clock. @default 'virtual' */
  readonly time?: 'virtual' | 'real';
  /** The cluster that the workspaces are in, for real time. @default one in memory */
  readonly kubeconfig?: string;
  readonly limits?: Limits;
  /** Called for every test and every life in it: an empty third party each time. */
  start(host: Host): Party | Promise<Party>;
}

/** `test` of AVA, node:test, Vitest, or whatever registers a title and a function; with `skip` what is not proved shows as skipped, else in the title. */
export interface TestFunction {
  (title: string, run: (context?: unknown) => Promise<void>): unknown;
  readonly skip?: (title: string, run: (context?: unknown) => Promise<void>) => unknown;
}

const known: Readonly<Record<keyof Subject, readonly string[] | 'any'>> = {
  identity: ['name', 'tag', 'key', 'opaque'],
  spec: 'any',
  edited: 'any',
  unasked: 'any',
  failures: 'any',
  secrets: 'any',
  sameName: ['exclusive', 'separate'],
  reaches: ['outside', 'cluster'],
  drift: ['mended'],
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

/** The subject, when it is one. @throws TypeError naming the member that is missing, wrong or unknown */
export function checkedSubject(subject: Subject): Subject {
  refuseUnknown('testIntegration', subject, Object.keys(known));
  for (const [member, allowed] of Object.entries(known)) {
    const value = subject[member as keyof Subject];
    const wrong = allowed !== 'any' && value !== undefined && !allowed.includes(value as string);
    if (wrong) refuse(member, `must be one of ${allowed.join(', ')}, found ${JSON.stringify(value)}`);
  }
  if (subject.identity === undefined) refuse('identity', 'is missing: name, tag, key or opaque');
  if (typeof subject.spec !== 'object') refuse('spec', 'must be the spec of a workspace that asks for the integration');
  if (typeof subject.start !== 'function') refuse('start', 'must be a function (host) => { integration, remote }');
  if ((subject.limits?.lease ?? 0) % 1000 !== 0)
    refuse('limits.lease', 'must be whole seconds: journals count in them');
  if (subject.kubeconfig !== undefined && subject.time !== 'real') refuse('kubeconfig', "needs time: 'real'");
  for (const [part, members] of Object.entries(parts)) {
    const mistake = unknownIn((subject[part as keyof Subject] ?? {}) as object, members, `${part}.`);
    if (mistake !== undefined) throw new TypeError(`testIntegration: ${mistake}`);
  }
  return subject;
}

/** What `start` answered, when it is a party. @throws TypeError naming the member that is missing */
export function checkedParty(party: Party): Party {
  for (const member of ['integration', 'remote'] as const)
    if (typeof party?.[member] !== 'function') refuse('start()', `must answer a function ${member}`);
  return party;
}
