/** Wrappers of clients and hosts that each remove one protection of the guard. */

import type { ProviderHost } from '../../../../sdk/host/index.ts';
import type { Client, GuardEntry, JsonPatchOperation, Patch, Ref, Workspace } from '../../../../sdk/index.ts';
import { ObservedTimes } from '../../../../sdk/provider/host/observed-times.ts';
import { claim } from '../protocols/guarded.ts';

type Operation = JsonPatchOperation;

/** Rewrites a client's JSON patches before they are sent. */
export const rewriting =
  (rewrite: (operations: readonly Operation[]) => readonly Operation[]) =>
  (client: Client): Client => ({
    ...client,
    patch: async (...[kind, key, patch, options]) => {
      if (patch.type !== 'json') return client.patch(kind, key, patch, options);
      return client.patch(kind, key, { type: 'json', operations: rewrite(patch.operations) }, options);
    },
  });

export const dropTests = (paths: RegExp) =>
  rewriting((operations) => operations.filter(({ op, path }) => !(op === 'test' && paths.test(path))));

/** Does not write claims, but reports success. */
export function claimless(client: Client): Client {
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

/** Records that nothing was begun whenever the journal is empty, claimed or not. */
export const forgetful = rewriting((operations) =>
  operations.map((one) =>
    one.op === 'add' && one.path === '/status/guards' && JSON.stringify(one.value) === '{}'
      ? { ...one, value: { Thing: note } }
      : one,
  ),
);

/** Skips the check of the clock before and during a call. */
export const unfenced = (host: ProviderHost): ProviderHost => {
  const { clock, times } = host;
  const after: typeof clock.after = (ms, fn) => (ms > times.lease / 2 ? () => {} : clock.after(ms, fn));
  return { ...host, clock: { ...clock, monotonic: () => 0, after } };
};

/** Considers every other holder long dead. */
export const impatient = (host: ProviderHost): ProviderHost => {
  class Stale extends ObservedTimes {
    override unchangedFor = (): number => Number.MAX_SAFE_INTEGER;
  }
  return { ...host, observedTimes: new Stale(host.clock) };
};

const isEntry = (value: unknown): value is { readonly phase: string; readonly cause?: string } =>
  typeof value === 'object' && value !== null && 'phase' in value && 'token' in value;

/** Forgets that an earlier attempt was ambiguous as soon as a definite answer comes. */
export const settling = rewriting((operations) =>
  operations.map((one) =>
    one.op === 'add' && isEntry(one.value) && one.value.cause === 'refused'
      ? { ...one, value: { ...one.value, phase: 'failed', ambiguous: undefined } }
      : one,
  ),
);

/** Forgets that an earlier attempt at the same operation has an unknown result as soon as one has failed definitely. */
export const trusting = rewriting((operations) =>
  operations.map((one) =>
    one.op === 'add' && isEntry(one.value) ? { ...one, value: { ...one.value, unresolved: undefined } } : one,
  ),
);

/** Neither mirrors ids nor records them again after their entry was wiped. */
export const unmirrored = (client: Client): Client => ({
  ...client,
  patch: (...[kind, key, patch, options]) => {
    const anew =
      patch.type === 'json' &&
      patch.operations.some(
        (one) => one.op === 'test' && /status(\/guards(\/Thing)?)?$/.test(one.path) && one.value === null,
      ) &&
      patch.operations.some((one) => 'value' in one && JSON.stringify(one.value ?? '').includes('"phase":"done"'));
    if (anew || patch.type !== 'json') return anew ? client.get(kind, key) : client.patch(kind, key, patch, options);
    const rest = patch.operations.filter(({ path }) => !/^\/metadata\/annotations($|\/external)/.test(path));
    const writes = rest.some(({ op }) => op !== 'test');
    return writes ? client.patch(kind, key, { type: 'json', operations: rest }, options) : client.get(kind, key);
  },
});

/** Journal entry that a patch writes. */
function entryIn(operations: readonly Operation[]): GuardEntry | undefined {
  const values = operations.flatMap((one) => (one.op === 'add' ? [one.value] : []));
  const inside = (value: unknown): readonly unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value) : [];
  const nested = values.flatMap((value) => [value, ...inside(value), ...inside(value).flatMap(inside)]);
  return nested.find(isEntry) as GuardEntry | undefined;
}

const testsToken = (operations: readonly Operation[]): boolean =>
  operations.some(({ op, path }) => op === 'test' && path.endsWith('/token'));

/** Kind of the guard's patch. */
export function kindOf(
  operations: readonly Operation[],
): 'intent' | 'outcome' | 'rewrite' | 'late' | 'mirror' | undefined {
  if (operations.some(({ op, path }) => op !== 'test' && path.startsWith('/metadata/annotations'))) return 'mirror';
  if (operations.some(({ op, path }) => op === 'add' && path.endsWith('/late'))) return 'late';
  const phase = entryIn(operations)?.phase;
  if (phase === undefined || phase === 'none') return undefined;
  if (testsToken(operations)) return 'outcome';
  return phase === 'intent' && operations.some(({ path }) => path === '/metadata/generation') ? 'intent' : 'rewrite';
}

/** Drops these tests from patches of this kind. */
export const dropTestsIn = (kind: ReturnType<typeof kindOf>, paths: RegExp) =>
  rewriting((operations) =>
    kindOf(operations) === kind
      ? operations.filter(({ op, path }) => !(op === 'test' && paths.test(path)))
      : operations,
  );

/** Operations of a JSON patch; none of another one. */
export const operationsOf = (patch: Patch): readonly Operation[] => (patch.type === 'json' ? patch.operations : []);

/** Considers a missing entry lost at once. */
export const hasty = (host: ProviderHost): ProviderHost => {
  class Hasty extends ObservedTimes {
    override unchangedFor(owner: string, slot: string, fingerprint: string): number {
      const unmoved = super.unchangedFor(owner, slot, fingerprint);
      return fingerprint.endsWith(' absent') ? Number.MAX_SAFE_INTEGER : unmoved;
    }
  }
  return { ...host, observedTimes: new Hasty(host.clock) };
};

/** Shortens the quarantine of others by a lease. */
export const withoutLease = (host: ProviderHost): ProviderHost => {
  class Shorter extends ObservedTimes {
    override unchangedFor(owner: string, slot: string, fingerprint: string): number {
      const unmoved = super.unchangedFor(owner, slot, fingerprint);
      return fingerprint.includes(` ${host.holder}/`) ? unmoved : unmoved + host.times.lease;
    }
  }
  return { ...host, observedTimes: new Shorter(host.clock) };
};

/** Stops the clock for the caller of that name. */
export const blindIn =
  (caller: string) =>
  (host: ProviderHost): ProviderHost => {
    const { clock } = host;
    const isAsking = (): boolean => new Error().stack?.split('\n')[3]?.includes(caller) ?? false;
    return { ...host, clock: { ...clock, monotonic: () => (isAsking() ? 0 : clock.monotonic()) } };
  };

/** Rewrites the journal entries that a value holds, as an entry, or up to two levels down. */
const withEntries = (value: unknown, rewrite: (entry: GuardEntry) => GuardEntry, depth = 2): unknown => {
  if (isEntry(value)) return rewrite(value as GuardEntry);
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withEntries(one, rewrite, depth - 1)]));
};

export const rewritingEntries = (rewrite: (entry: GuardEntry) => GuardEntry) =>
  rewriting((operations) =>
    operations.map((one) =>
      one.op === 'add' || one.op === 'replace' ? { ...one, value: withEntries(one.value, rewrite) } : one,
    ),
  );

/** Writes journal entries that do not say whose they are. */
export const nameless = rewritingEntries(({ claim: _, ...entry }) => entry);

/** Writes journal entries that do not say which mirror there was, nor for which generation they are. */
export const claimedAnew = rewritingEntries(({ mirrored: _, generation: __, lost, ...entry }) => ({
  ...entry,
  ...(lost && entry.phase !== 'failed' && { lost }),
}));

const countedRef = ({ state, ...ref }: Ref): Ref =>
  state === undefined || state === 'found' ? ref : { ...ref, state };

/** Takes what a search finds for there at once. */
export const credulous = rewritingEntries(({ refs, ...entry }) => ({
  ...entry,
  ...(refs && { refs: (refs as readonly Ref[]).map(countedRef) as GuardEntry['refs'] }),
}));

/** Believes what a journal says of objects, whatever became of it meanwhile. */
export const believing = rewritingEntries(({ lost, mirrored: _, generation: __, ...entry }) => ({
  ...entry,
  ...(lost && entry.phase !== 'done' && { lost }),
}));

/** Counts tokens from the beginning where nothing is left of what an earlier integration had. */
export const countingAnew = rewritingEntries((entry) => (entry.phase === 'none' ? { ...entry, token: 0 } : entry));

/** Reads no mirror of a former condition. */
export const withoutFormer = (host: ProviderHost): ProviderHost => {
  const isAsking = (): boolean => new Error().stack?.includes('lostEntries') ?? false;
  return {
    ...host,
    seal: () => (isAsking() ? { ...host.seal(), verify: () => 'invalid' } : host.seal()),
  };
};

/** Signal that follows another one without checking the clock. */
export function followed(own: AbortSignal): AbortSignal {
  const follower = new AbortController();
  own.addEventListener('abort', () => follower.abort(own.reason), { once: true });
  return follower.signal;
}
