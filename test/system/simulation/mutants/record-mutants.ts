/** Protections of journals beside mirrors that are refused, of journals that are put back, and of workspaces that no mirror names. */

import type { Client, JsonPatchOperation, Workspace } from '../../../../sdk/index.ts';
import { atCall, atRequest, atTime, range } from '../directed/schedule.ts';
import type { Removal } from './removals.ts';
import { dropTestsIn, rewriting, rewritingEntries } from './seams.ts';
import { trustingTokens, unsearching } from './views.ts';

/** Forgets which ids are gone that the mirror still names. */
const forgettingDropped = rewritingEntries(({ dropped: _, ...entry }) => entry);

/** Does not say for which generation an attempt was made. */
export const undated = rewritingEntries(({ generation: _, ...entry }) => entry);

/** Says of conditions, attempts and intents that they are about the newest spec that the client was answered, whichever one is acted on. */
function followingSpec(client: Client): Client {
  let newest = 0;
  const seen = <T>(object: T): T => {
    newest = (object as unknown as Workspace).metadata.generation ?? 0;
    return object;
  };
  const dated = (name: string, value: unknown) => (/^(observedG|g)eneration$/.test(name) ? newest : value);
  const following = rewriting((operations) =>
    operations.map((one) =>
      one.path === '/metadata/generation'
        ? { ...one, value: newest }
        : (JSON.parse(JSON.stringify(one), dated) as JsonPatchOperation),
    ),
  )(client);
  return {
    ...client,
    get: async (...args) => seen(await client.get(...args)),
    patch: async (...args) => seen(await following.patch(...args)),
  };
}

/** Mirrors no intents. */
const unannounced = (client: Client): Client => ({
  ...client,
  patch: (...[kind, key, patch, options]) => {
    const writes = patch.type === 'json' ? patch.operations.filter(({ op }) => op === 'add') : [];
    const isIntent = writes.some(
      (one) => one.path.startsWith('/metadata/annotations') && /open/.test(JSON.stringify(one)),
    );
    return isIntent ? client.get(kind, key) : client.patch(kind, key, patch, options);
  },
});

/** Forgets that a part of a deletion was carried out. */
const settlingDeletions = rewritingEntries((entry) => {
  const { unresolved: _, ...rest } = entry;
  return entry.phase === 'failed' && entry.op === 'delete' ? rest : entry;
});

/** Drops what was handed over to a journal that is lost. */
const lateless = rewritingEntries((entry) => {
  const { late: _, ...rest } = entry;
  return entry.lost === true ? rest : entry;
});

/** These protections, with the schedules that need them. */
export const recordMutants: readonly Removal[] = [
  {
    name: 'that what is written is about the spec with which the integration was called',
    identity: 'name',
    seams: { client: followingSpec },
    lives: [200, 400, 600].map((ms) => [atCall(0, 'call slow', 1_000), atTime(ms, 'spec change')]),
    sees: ['I7'],
  },
  {
    name: 'the intent in the mirror of what another holder could find',
    identity: 'tag',
    way: 'ensure',
    seams: { client: unannounced },
    life: { replicas: 2 },
    lives: range(3, 6).map((n) => [
      atRequest(n, 'request slow', 1_000),
      atTime(150, 'status put back', 50),
      ...range(0, 3).map((call) => atCall(call, 'call slow', 2_500)),
    ]),
    sees: ['I1'],
  },
  {
    name: 'the test of the mirror in the intent',
    identity: 'opaque',
    way: 'ensure',
    seams: { client: dropTestsIn('intent', /annotations/) },
    life: { replicas: 2 },
    lives: range(3, 6).map((n) => [
      atRequest(n, 'request slow', 3_000),
      atTime(150, 'status put back', 50),
      ...range(0, 1).map((call) => atCall(call, 'call slow', 5_000)),
    ]),
    sees: ['I1'],
  },
  {
    name: 'the test of the intent when it is mirrored',
    identity: 'opaque',
    way: 'ensure',
    seams: { client: dropTestsIn('mirror', /(token|holder)$/), host: trustingTokens },
    life: { replicas: 2 },
    lives: range(8, 12).map((n) => [
      atRequest(7, 'request slow', 1_000),
      atRequest(n, 'request slow', 2_500),
      atTime(150, 'status put back', 50),
      ...range(0, 1).map((call) => atCall(call, 'call slow', 2_500)),
    ]),
    sees: ['I1'],
  },
  {
    name: 'that the journal holds what is gone while no mirror can be written',
    identity: 'key',
    way: 'things',
    seams: { client: forgettingDropped },
    lives: [10_000, 11_000, 12_000].map((ms) => [
      { on: 'write', at: 4_000, kind: 'refused 403', ms: 60_000, write: 'mirror' } as const,
      atTime(5_000, 'spec change'),
      atTime(ms, 'spec put back'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that a journal with a lower token than the process has seen is in doubt',
    identity: 'name',
    way: 'ensure',
    seams: { host: trustingTokens },
    lives: [45, 60].map((moment) => [
      { on: 'write', at: 60, kind: 'refused 403', ms: 5_000, write: 'mirror' } as const,
      atCall(0, 'call late', 2_000),
      atTime(200, 'condition renamed'),
      atTime(15_000, 'status put back', moment),
    ]),
    sees: ['I2', 'I7'],
  },
  {
    name: 'that a journal in doubt is followed by a search for all objects',
    identity: 'tag',
    way: 'things',
    seams: { host: unsearching },
    lives: [400, 600, 800].map((moment) => [
      { on: 'write', at: 50, kind: 'refused 403', ms: 60_000, write: 'mirror' } as const,
      atCall(2, 'call throttled', 1_000),
      atTime(8_990, 'spec change'),
      atTime(9_000, 'status put back', moment),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that objects are observed where a change of the spec was not recorded',
    identity: 'tag',
    way: 'ensure',
    seams: { host: trustingTokens, client: undated },
    lives: range(2, 6).map((call) => [
      atTime(5_000, 'spec change'),
      atTime(10_000, 'spec put back'),
      atCall(call, 'call refused'),
      atTime(10_500, 'status put back', 4_000),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that an intent is mirrored where no mirror names the workspace',
    identity: 'name',
    way: 'ensure',
    seams: { client: unannounced },
    lives: [1_000, 2_000, 5_000].map((ms) => [
      atRequest(1, 'refused 422'), // the claim is written without a mirror
      atCall(0, 'call answer lost'),
      atTime(ms, 'restored from backup'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that a deletion of which a part was carried out is repeated first',
    identity: 'tag',
    way: 'things',
    seams: { client: settlingDeletions },
    lives: range(7, 9).map((call) => [
      atTime(5_000, 'unhandled'),
      atCall(call, 'call refused'),
      atTime(5_150, 'asked again'),
    ]),
    sees: ['I7'],
  },
  {
    name: 'that ids handed over to a journal that was put back are kept',
    identity: 'name',
    way: 'ensure',
    seams: { client: lateless },
    lives: [90, 110, 130].map((moment) => [
      { on: 'write', at: 150, kind: 'refused 403', ms: 8_000, write: 'mirror' } as const,
      atCall(0, 'call refused'),
      atCall(1, 'call slow', 2_500),
      atTime(1_500, 'status put back', moment),
    ]),
    sees: ['I8'],
  },
];
