import {
  type Client,
  claimOf,
  type JsonPatchOperation,
  type Patch,
  type ProviderHost,
  type Workspace,
} from '../../sdk/index.ts';
import { Sightings } from '../../sdk/provider/sightings.ts';
import type { Fault } from './faults.ts';
import type { Identity } from './guarded.ts';
import type { Violation } from './invariants.ts';
import type { LifeOptions } from './life.ts';
import type { Seams } from './protocol.ts';

/** A protection of the protocol, taken away from outside, and lives in which that shows. */
export interface Removal {
  /** The protection. */
  readonly name: string;
  readonly identity: Identity;
  /** Without it. */
  readonly seams: Seams;
  readonly life?: Partial<LifeOptions>;
  /** It takes several things of one condition. @default false */
  readonly three?: boolean;
  /** Lives one of which must go wrong without it, and none with it. */
  readonly lives: readonly (readonly Fault[])[];
  /** What must be seen. */
  readonly sees: readonly Violation['id'][];
}

type Operation = JsonPatchOperation;

/** A client whose JSON patches are rewritten on their way out. */
const rewriting =
  (rewrite: (operations: readonly Operation[]) => readonly Operation[]) =>
  (client: Client): Client => ({
    ...client,
    patch: async (...[kind, key, patch, options]) => {
      if (patch.type !== 'json') return client.patch(kind, key, patch, options);
      return client.patch(kind, key, { type: 'json', operations: rewrite(patch.operations) }, options);
    },
  });

const dropTests = (paths: RegExp) =>
  rewriting((operations) => operations.filter(({ op, path }) => !(op === 'test' && paths.test(path))));

const claim = claimOf('thing');

/** Claims are never written, and everybody believes that they were. */
function claimless(client: Client): Client {
  const withClaim = <T>(object: T): T => {
    const { metadata } = object as unknown as Workspace;
    if (metadata.finalizers?.includes(claim)) return object;
    return { ...object, metadata: { ...metadata, finalizers: [...(metadata.finalizers ?? []), claim] } };
  };
  const isClaim = (patch: Patch): boolean =>
    patch.type === 'json' && patch.operations.some(({ op, path }) => op === 'add' && path === '/metadata/finalizers');
  const untested = dropTests(/finalizers/)(client);
  return {
    ...client,
    get: async (...args) => withClaim(await client.get(...args)),
    patch: async (...args) =>
      withClaim(await (isClaim(args[2]) ? client.get(args[0], args[1]) : untested.patch(...args))),
  };
}

const note = { phase: 'none', op: 'task', key: 'ws-0', token: 0, holder: 'nobody' };

/** Whoever finds the journal empty takes note that nothing was begun, whether it is claimed or not. */
const forgetful = rewriting((operations) =>
  operations.map((one) =>
    one.op === 'add' && one.path === '/status/guards' && JSON.stringify(one.value) === '{}'
      ? { ...one, value: { Thing: note } }
      : one,
  ),
);

/** Nobody looks at the clock before a call is sent, nor while it is under way. */
const unfenced = (host: ProviderHost): ProviderHost => {
  const { clock, times } = host;
  const after: typeof clock.after = (ms, fn) => (ms > times.lease / 2 ? () => {} : clock.after(ms, fn));
  return { ...host, clock: { ...clock, monotonic: () => 0, after } };
};

/** Whatever others hold is taken for long dead. */
const impatient = (host: ProviderHost): ProviderHost => {
  class Stale extends Sightings {
    override unmovedFor = (): number => Number.MAX_SAFE_INTEGER;
  }
  return { ...host, sightings: new Stale(host.clock) };
};

const isEntry = (value: unknown): value is { readonly phase: string; readonly cause?: string } =>
  typeof value === 'object' && value !== null && 'phase' in value && 'token' in value;

/** That an earlier attempt was ambiguous is forgotten as soon as a definite answer comes. */
const settling = rewriting((operations) =>
  operations.map((one) =>
    one.op === 'add' && isEntry(one.value) && one.value.cause === 'refused'
      ? { ...one, value: { ...one.value, phase: 'failed', ambiguous: undefined } }
      : one,
  ),
);

/** Ids are neither mirrored nor written anew once their entry was wiped. */
const unmirrored = (client: Client): Client => ({
  ...client,
  patch: (...[kind, key, patch, options]) => {
    const anew =
      patch.type === 'json' &&
      patch.operations.some(
        (one) => one.op === 'test' && /status(\/guards(\/Thing)?)?$/.test(one.path) && one.value === null,
      ) &&
      patch.operations.some((one) => 'value' in one && JSON.stringify(one.value ?? '').includes('"phase":"done"'));
    const mirror =
      patch.type === 'json' && patch.operations.some(({ op, path }) => op === 'add' && /external/.test(path));
    const first =
      patch.type === 'json' &&
      patch.operations.some(({ op, path }) => op === 'add' && path === '/metadata/annotations');
    return mirror || first || anew ? client.get(kind, key) : client.patch(kind, key, patch, options);
  },
});

const upTo = (count: number, step = 1): readonly number[] => Array.from({ length: count }, (_, index) => index * step);
const at = (ms: number, kind: Extract<Fault, { on: 'time' }>['kind']): Fault => ({ on: 'time', at: ms, kind, ms: 0 });
const call = (n: number, kind: Extract<Fault, { on: 'call' }>['kind'], ms = 0): Fault => ({
  on: 'call',
  at: n,
  kind,
  ms,
});
const pauses = (ms: number) => upTo(24).map((n): readonly Fault[] => [{ on: 'effect', at: n, kind: 'pause', ms }]);

/** Each protection of the protocol, with the lives that need it. */
export const removals: readonly Removal[] = [
  {
    name: 'the self-fence',
    identity: 'name',
    seams: { host: unfenced },
    life: { replicas: 2 },
    lives: pauses(60_000),
    sees: ['I6'],
  },
  {
    name: 'waiting for a holder whose entry moves or may be at work',
    identity: 'name',
    seams: { host: impatient },
    life: { replicas: 2 },
    lives: pauses(4_000),
    sees: ['I6'],
  },
  {
    name: 'a monotonic clock that goes on while a process is stopped',
    identity: 'name',
    seams: {},
    life: { replicas: 2, process: { suspends: true } },
    lives: pauses(60_000),
    sees: ['I6'],
  },
  {
    name: 'the quarantine',
    identity: 'tag',
    seams: { times: { maxRequest: 1 } },
    lives: upTo(3).map((n) => [call(n, 'call late', 3_900)]),
    sees: ['I6', 'I1'],
  },
  {
    name: 'the test of token and holder',
    identity: 'name',
    seams: { client: dropTests(/\/(token|holder|late)$/) },
    life: { replicas: 2 },
    lives: pauses(60_000),
    sees: ['I5'],
  },
  {
    name: 'the claim before the intent',
    identity: 'name',
    seams: { client: claimless },
    lives: [[]],
    sees: ['I2'],
  },
  {
    name: 'the reading of a missing entry under a claim as lost',
    identity: 'opaque',
    seams: { client: forgetful },
    lives: [[at(20_000, 'mirror wiped'), at(20_001, 'status wiped')]],
    sees: ['I1'],
  },
  {
    name: 'the tests of claim and mirror by which a note says that nothing was begun',
    identity: 'opaque',
    seams: { client: dropTests(/^\/metadata\/(finalizers|annotations)/) },
    life: { replicas: 2 },
    lives: upTo(8, 15).map((ms) => [
      { on: 'request', at: 0, kind: 'request late', ms: 3_000 },
      at(2_900 + ms, 'mirror wiped'),
      at(2_901 + ms, 'status wiped'),
    ]),
    sees: ['I1'],
  },
  {
    name: 'the check of the owner’s mark',
    identity: 'name',
    seams: { checksMark: false },
    lives: [[at(0, 'stranger’s thing'), at(60_000, 'delete')]],
    sees: ['I9', 'I7'],
  },
  {
    name: 'that a definite error does not settle an ambiguous attempt',
    identity: 'key',
    seams: { client: settling },
    lives: [4_600, 5_500, 7_000, 9_000].map((ms) => [
      call(0, 'call answer lost'),
      ...upTo(8).map((n) => call(n + 1, 'call refused')),
      at(ms, 'delete'),
    ]),
    sees: ['I3', 'I2'],
  },
  {
    name: 'mirror and rewrite',
    identity: 'opaque',
    seams: { client: unmirrored },
    lives: upTo(4, 400).map((ms) => [call(0, 'call slow', 2_000), at(200 + ms, 'status wiped')]),
    sees: ['I8'],
  },
  {
    name: 'the test of the mirror as read',
    identity: 'opaque',
    seams: { client: dropTests(/annotations/) },
    three: true,
    lives: upTo(10).map((n) => [{ on: 'request', at: 3 + n, kind: 'request late', ms: 300 }]),
    sees: ['I8'],
  },
];
