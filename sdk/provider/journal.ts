import { type Condition, type NewCondition, nextCondition, timestamp } from '../api/condition.ts';
import { digest } from '../api/digest.ts';
import { add, type JsonPatchOperation, pointer, test } from '../api/patch.ts';
import { conditionOf, type GuardEntry, type Workspace } from '../api/workspace.ts';
import { setEntry, setRefs, testEntry } from './entry-patch.ts';
import { testMirror } from './mirror.ts';

/** The journal entry of a condition, as the workspace has it: what a patch tests. */
const writtenOf = ({ status }: Workspace, type: string): GuardEntry | undefined => status?.guards?.[type];

/**
 * The journal entry that says that nothing was begun yet. It is only written where the server has seen that neither claim nor mirror is there: it holds
 * from then on, until an intent takes its place, whatever time passes and whoever comes. `nonce` tells the keys of this journal from those of any other
 * that the workspace has had or will have.
 */
export const nothingBegun = (
  workspace: Workspace,
  type: string,
  { holder, nonce, now }: { readonly holder: string; readonly nonce: string; readonly now: number },
): GuardEntry => ({
  phase: 'none',
  op: 'task',
  key: operationKey(workspace, `${type}/${nonce}`, 0),
  token: 0,
  holder,
  since: timestamp(now),
});

/** The key of the n-th operation of a journal, counted from 1: a DNS label, the same for every attempt of it. */
export const operationKey = (workspace: Workspace, journal: string, count: number): string =>
  `ws-${digest(`${workspace.metadata.uid}/${journal}`)}-${count}`;

const entryPath = (type: string, ...rest: readonly string[]): string => pointer('status', 'guards', type, ...rest);

/** What is to be written for one condition: its journal entry and the condition that it explains, always in one request. */
export interface Slot {
  readonly type: string;
  readonly entry: GuardEntry;
  readonly condition: Condition;
}

/** Sets the entry; parents are made only after testing that they are not there. */
function placeEntry(workspace: Workspace, slot: Slot): readonly JsonPatchOperation[] {
  if (workspace.status?.guards !== undefined) return setEntry(workspace, slot);
  return [test('/status/guards', null), add('/status/guards', { [slot.type]: slot.entry })];
}

/** Sets the condition where it was seen; an array is tested whole before something is appended to it. */
function placeCondition({ status }: Workspace, condition: Condition): readonly JsonPatchOperation[] {
  const conditions = status?.conditions;
  if (conditions === undefined) return [test('/status/conditions', null), add('/status/conditions', [condition])];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  if (index === -1) return [test('/status/conditions', conditions), add('/status/conditions/-', condition)];
  const path = `/status/conditions/${index}`;
  return [test(`${path}/type`, condition.type), { op: 'replace', path, value: condition }];
}

function place(workspace: Workspace, slot: Slot): readonly JsonPatchOperation[] {
  const { type, entry, condition } = slot;
  if (workspace.status === undefined)
    return [test('/status', null), add('/status', { guards: { [type]: entry }, conditions: [condition] })];
  return [...placeEntry(workspace, slot), ...placeCondition(workspace, condition)];
}

/** `test` that there is no entry, in a status that is there. */
const absent = ({ status }: Workspace, type: string): JsonPatchOperation =>
  test(status?.guards === undefined ? '/status/guards' : entryPath(type), null);

/**
 * The patch of `/status` that makes an intent durable. It tests all that the decision was based on: uid, generation, deletion, our claim at its
 * index, the entry as read, the place of the condition. It does not test the resourceVersion: foreign writes elsewhere don't matter.
 */
export function intentPatch(workspace: Workspace, claim: string, slot: Slot): readonly JsonPatchOperation[] {
  const { uid, generation, deletionTimestamp, finalizers = [] } = workspace.metadata;
  return [
    test('/metadata/uid', uid),
    test('/metadata/generation', generation),
    test('/metadata/deletionTimestamp', deletionTimestamp),
    test(`/metadata/finalizers/${finalizers.indexOf(claim)}`, claim),
    ...testEntry(workspace, slot.type),
    ...place(workspace, slot),
  ];
}

/** The patch of `/status` that replaces what an attempt left behind, refused once somebody else has taken over (token, holder) or handed ids over (late). */
export function settlePatch(
  workspace: Workspace,
  held: Pick<GuardEntry, 'token' | 'holder'>,
  slot: Slot,
): readonly JsonPatchOperation[] {
  const { type } = slot;
  return [
    test('/metadata/uid', workspace.metadata.uid),
    test(entryPath(type, 'token'), held.token),
    test(entryPath(type, 'holder'), held.holder),
    test(entryPath(type, 'late'), writtenOf(workspace, type)?.late),
    ...place(workspace, slot),
  ];
}

/** The patch of `/status` that writes an entry which is not there, or not to be believed: refused once there is one, or the mirror tells of more. */
export const rewritePatch = (workspace: Workspace, slot: Slot): readonly JsonPatchOperation[] => [
  test('/metadata/uid', workspace.metadata.uid),
  testMirror(workspace, slot.type),
  ...testEntry(workspace, slot.type),
  ...place(workspace, slot),
];

/** The patch of `/status` with which a live attempt says that it still works. */
export const beatPatch = (type: string, { token, holder, beat = 0 }: GuardEntry): readonly JsonPatchOperation[] => [
  test(entryPath(type, 'token'), token),
  test(entryPath(type, 'holder'), holder),
  add(entryPath(type, 'beat'), beat + 1),
];

/** The patch of `/status` with which a live attempt makes the ids durable that it has learned so far. */
export const checkpointPatch = (
  workspace: Workspace,
  { type, entry: { token, holder } }: Pick<Slot, 'type' | 'entry'>,
  refs: readonly object[],
): readonly JsonPatchOperation[] => [
  test(entryPath(type, 'token'), token),
  test(entryPath(type, 'holder'), holder),
  ...setRefs(writtenOf(workspace, type), type, refs),
];

/** The patch of `/status` with which a fenced attempt hands over ids that it still learned. */
export function latePatch(entry: GuardEntry, type: string, refs: readonly object[]): readonly JsonPatchOperation[] {
  const { late } = entry;
  return [
    test(entryPath(type, 'token'), entry.token),
    test(entryPath(type, 'late'), late),
    add(entryPath(type, 'late'), [...(late ?? []), ...refs]),
  ];
}

/** The patch of `/status` that sets a condition alone, refused when its journal entry has moved since it was read, or has come since. */
export function conditionPatch(workspace: Workspace, condition: Condition): readonly JsonPatchOperation[] {
  const { status, metadata } = workspace;
  const tests = [test('/metadata/uid', metadata.uid)];
  if (status === undefined) return [...tests, test('/status', null), add('/status', { conditions: [condition] })];
  const { type } = condition;
  const entry = writtenOf(workspace, type);
  const seen =
    entry === undefined
      ? [absent(workspace, type)]
      : [test(entryPath(type, 'phase'), entry.phase), test(entryPath(type, 'token'), entry.token)];
  return [...tests, ...seen, ...placeCondition(workspace, condition)];
}

/** The condition to write beside an entry, its transition time derived from what is there. */
export const conditionFor = (
  workspace: Workspace,
  next: Omit<NewCondition, 'observedGeneration'>,
  now: number,
): Condition =>
  nextCondition(conditionOf(workspace, next.type), { ...next, observedGeneration: workspace.metadata.generation }, now);
