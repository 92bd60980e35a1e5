import { canonicalJson } from '../api/digest.ts';
import { add, type JsonPatchOperation, pointer, remove, test } from '../api/patch.ts';
import type { GuardEntry, Workspace } from '../api/workspace.ts';

/** From how many ids on an entry is tested and written without those that stay: all of them in each patch would add up to the square of their number. */
const many = 16;

/** Where ids stand aside within one patch while the entry around them is written anew. */
const aside = '/status/refs';

const entryPath = (type: string, ...rest: readonly (string | number)[]): string =>
  pointer('status', 'guards', type, ...rest);

const isLong = (entry: GuardEntry | undefined): entry is GuardEntry & { readonly refs: readonly object[] } =>
  (entry?.refs ?? []).length > many;

/** `test` that the last id is where it was read. */
const testLast = (type: string, refs: readonly object[]): JsonPatchOperation =>
  test(entryPath(type, 'refs', refs.length - 1), refs.at(-1));

/** Members that others add to an entry while they leave its token and holder as they are. */
const added = ['late', 'lost', 'ambiguous', 'beat'] as const;

/** `test` of an entry as it was read; none when its parent was not there. Of many ids the last one. */
export function testEntry({ status }: Workspace, type: string): readonly JsonPatchOperation[] {
  if (status?.guards === undefined) return [];
  const entry = status.guards[type];
  if (!isLong(entry)) return [test(entryPath(type), entry ?? null)];
  const { refs, ...rest } = entry;
  const absent = added.filter((member) => entry[member] === undefined);
  return [
    ...Object.entries(rest).map(([member, value]) => test(entryPath(type, member), value)),
    ...absent.map((member) => test(entryPath(type, member), null)),
    testLast(type, refs),
  ];
}

/** How many of these begin alike. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

/** The operations that make one array of another: what stands between their common beginning and their common end is replaced, removed, or put in. */
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

/** Sets an entry whose parent is there. Of many ids only those are sent that are others than before; the patch is refused where they are not as read. */
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

/** Sets the ids of an entry that is there. */
export function setRefs(
  before: GuardEntry | undefined,
  type: string,
  refs: readonly object[],
): readonly JsonPatchOperation[] {
  if (!isLong(before)) return [add(entryPath(type, 'refs'), refs)];
  return [testLast(type, before.refs), ...arrayChanges(entryPath(type, 'refs'), before.refs, refs)];
}
