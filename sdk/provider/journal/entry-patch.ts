/** Builds JSON patches of journal entries, small even with many ids. */

import { canonicalJson } from '../../api/digest.ts';
import { add, type JsonPatchOperation, pointer, remove, test } from '../../api/patch.ts';
import type { GuardEntry, Workspace } from '../../api/workspace.ts';

/** Number of ids from which a patch omits unchanged ones: with all of them in each patch, traffic would grow with the square of their number. */
const many = 16;

/** Path at which ids are kept within one patch while the entry around them is replaced. */
const aside = '/status/refs';

const entryPath = (type: string, ...rest: readonly (string | number)[]): string =>
  pointer('status', 'guards', type, ...rest);

const isLong = (entry: GuardEntry | undefined): entry is GuardEntry & { readonly refs: readonly object[] } =>
  (entry?.refs ?? []).length > many;

/** Returns the `test` that the last id is unchanged. */
const testLast = (type: string, refs: readonly object[]): JsonPatchOperation =>
  test(entryPath(type, 'refs', refs.length - 1), refs.at(-1));

/** Returns the `test`s that an attempt still holds its entry. */
export const testHolder = (
  type: string,
  { token, holder }: Pick<GuardEntry, 'token' | 'holder'>,
): readonly JsonPatchOperation[] => [test(entryPath(type, 'token'), token), test(entryPath(type, 'holder'), holder)];

/** Returns the `test` that nothing of the workspace has changed since it was read. */
export const testVersion = ({ metadata }: Workspace): JsonPatchOperation =>
  test('/metadata/resourceVersion', metadata.resourceVersion);

/** Members that other processes add to an entry without changing its token and holder. */
const added = ['late', 'lost', 'ambiguous', 'beat'] as const;

/**
 * Returns the `test`s of an entry as read. Of many ids, only the last is tested. A missing one is tested by the version of the workspace, above which the tokens
 * of the next one begin.
 */
export function testEntry(workspace: Workspace, type: string): readonly JsonPatchOperation[] {
  const entry = workspace.status?.guards?.[type];
  if (entry === undefined) return [testVersion(workspace)];
  if (!isLong(entry)) return [test(entryPath(type), entry)];
  const { refs, ...rest } = entry;
  const absent = added.filter((member) => entry[member] === undefined);
  return [
    ...Object.entries(rest).map(([member, value]) => test(entryPath(type, member), value)),
    ...absent.map((member) => test(entryPath(type, member), null)),
    testLast(type, refs),
  ];
}

/** Returns the length of the common prefix. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

/** Returns the operations that turn one array into another, by replacing the part between their common prefix and their common suffix. */
function arrayChanges(
  path: string,
  before: readonly object[],
  after: readonly object[],
): readonly JsonPatchOperation[] {
  const [old, next] = [before.map(canonicalJson), after.map(canonicalJson)];
  const start = commonStart(old, next);
  const end = commonStart(old.slice(start).reverse(), next.slice(start).reverse());
  const [gone, come] = [old.length - start - end, next.length - start - end];
  const kept = Math.min(gone, come);
  const fresh = after.slice(start, start + come);
  return [
    ...fresh
      .slice(0, kept)
      .map((value, index): JsonPatchOperation => ({ op: 'replace', path: `${path}/${start + index}`, value })),
    ...Array.from({ length: gone - kept }, () => remove(`${path}/${start + kept}`)),
    ...fresh.slice(kept).map((value, index) => add(`${path}/${start + kept + index}`, value)),
  ];
}

/** Sets an entry whose parent exists. Of many ids, only changed ones are sent; the patch is refused if they are not as read. */
export function setEntry(
  { status }: Workspace,
  { type, entry }: { readonly type: string; readonly entry: GuardEntry },
): readonly JsonPatchOperation[] {
  const before = status?.guards?.[type];
  if (!isLong(before) || !isLong(entry)) return [add(entryPath(type), entry)];
  const { refs, ...rest } = entry;
  const path = entryPath(type, 'refs');
  return [
    testLast(type, before.refs),
    { op: 'move', from: path, path: aside },
    add(entryPath(type), rest),
    { op: 'move', from: aside, path },
    ...arrayChanges(path, before.refs, refs),
  ];
}

/** Sets the ids of an existing entry. */
export function setRefs(
  before: GuardEntry | undefined,
  type: string,
  refs: readonly object[],
): readonly JsonPatchOperation[] {
  if (!isLong(before)) return [add(entryPath(type, 'refs'), refs)];
  return [testLast(type, before.refs), ...arrayChanges(entryPath(type, 'refs'), before.refs, refs)];
}
