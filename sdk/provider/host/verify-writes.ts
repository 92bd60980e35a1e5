/** Verifies that the API server stored a write of a workspace as sent: a mutating policy or webhook, or an older definition, may change it. */

import { keyOf } from '../../api/object.ts';
import { type JsonPatchOperation, valueAt } from '../../api/patch.ts';
import { Workspace } from '../../api/workspace.ts';
import type { Client } from '../../client/client.ts';
import { RefusedError } from '../../errors.ts';

type PatchChange = Exclude<JsonPatchOperation, { op: 'test' }>;
type Fields = Readonly<Record<string, unknown>>;

const [finalizers, conditions] = ['/metadata/finalizers', '/status/conditions'];
/** Fields that have to be kept as they are written; in others, such as texts of conditions, a policy may change anything. */
const verifiedPaths = ['/metadata/annotations', '/status/guards'];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isWithin = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

type ComparedPair = readonly [there: unknown, written: unknown];

/** Returns the pairs of members to compare next; undefined where the values differ. Servers replace lone surrogates, and drop nulls. */
function nextPairs([there, written]: ComparedPair): readonly ComparedPair[] | undefined {
  const wanted = typeof written === 'string' ? written.toWellFormed() : (written ?? undefined);
  if (!isFields(wanted)) return (there ?? undefined) === wanted ? [] : undefined;
  if (!isFields(there) || Array.isArray(there) !== Array.isArray(wanted)) return undefined;
  if (Array.isArray(wanted) && wanted.length !== there.length) return undefined;
  return Object.entries(wanted).map(([name, member]) => [Object.hasOwn(there, name) ? there[name] : undefined, member]);
}

/** Reports whether all that was written is there, whatever was added to it. Takes linear time at any depth. */
function isKept(there: unknown, written: unknown): boolean {
  const open: ComparedPair[] = [[there, written]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const inner = nextPairs(pair);
    if (inner === undefined) return false;
    for (const one of inner) open.push(one);
  }
  return true;
}

/** Returns what a patch writes to fields as a whole: of several changes of one, the last; none within lists. */
function lastChanges(operations: readonly JsonPatchOperation[]): readonly PatchChange[] {
  const changes = operations.filter((one): one is PatchChange => one.op !== 'test');
  const touched = changes.map((one) => ('from' in one ? [one.path, one.from] : [one.path]));
  return changes.filter(
    ({ path }, index) =>
      !/\/(?:\d+|-)(?:\/|$)/.test(path) &&
      touched.slice(index + 1).every((later) => later.every((one) => !isWithin(one, path) && !isWithin(path, one))),
  );
}

/** Returns the finalizers that a patch adds, and those that it removes. */
function finalizerChanges(operations: readonly JsonPatchOperation[]) {
  const named = (op: 'add' | 'test') =>
    operations.flatMap((one) => (one.op === op && isWithin(one.path, finalizers) ? [one] : []));
  const namesIn = (all: readonly { readonly value: unknown }[]) =>
    all.flatMap(({ value }) => (value ?? []) as string | readonly string[]);
  const added = namesIn(named('add'));
  const isRemoved = (path: string): boolean => operations.some((one) => one.op === 'remove' && one.path === path);
  const removed =
    added.length > 0
      ? namesIn(named('test')).filter((one) => !added.includes(one))
      : namesIn(named('test').filter(({ path }) => isRemoved(path)));
  return { added, removed };
}

/** Reports whether each condition of a list is there with its status. Takes linear time. */
function areConditionsKept(there: unknown, written: unknown): boolean {
  const statuses = new Map(Array.isArray(there) ? there.map(({ type, status }) => [type, status]) : []);
  return Array.isArray(written) && written.every(({ type, status }) => statuses.get(type) === status);
}

/** Returns the path of the first field that is not as a JSON patch has written it; undefined when all that have to be kept are. */
export function alteredPath(answer: Workspace, operations: readonly JsonPatchOperation[]): string | undefined {
  const held = answer.metadata.finalizers ?? [];
  const { added, removed } = finalizerChanges(operations);
  if (added.some((one) => !held.includes(one)) || removed.some((one) => held.includes(one))) return finalizers;
  return lastChanges(operations).find((change) => {
    const there = valueAt(answer, change.path);
    if (change.path === conditions) return 'value' in change && !areConditionsKept(there, change.value);
    if (!verifiedPaths.some((field) => isWithin(change.path, field)) || 'from' in change) return false;
    return !isKept(there, change.op === 'remove' ? undefined : change.value);
  })?.path;
}

/**
 * Wraps a client so that a JSON patch of a workspace fails if its answer shows that a finalizer, an annotation, a journal entry or the status of a condition
 * is not as it was written: nothing may be built on it.
 */
export const verifyingWrites = (client: Client): Client => ({
  ...client,
  async patch(...call) {
    const answer = await client.patch(...call);
    const [kind, key, patch] = call;
    if (kind.kind !== Workspace.kind || kind.group !== Workspace.group || patch.type !== 'json') return answer;
    const path = alteredPath(answer as unknown as Workspace, patch.operations);
    if (path === undefined) return answer;
    throw new RefusedError(
      `${keyOf(key)}: the API server has taken a change, and ${path} is not what was written: a mutating policy or webhook, or an older definition, changes it`,
    );
  },
});
