/** Journal entries of conditions and the JSON patches that write them. */

import { type Condition, type NewCondition, nextCondition, timestamp } from '../../api/condition.ts';
import { add, type JsonPatchOperation, pointer, test } from '../../api/patch.ts';
import { conditionOf, type GuardEntry, type Workspace } from '../../api/workspace.ts';
import { highestTokenOf } from '../host/fencing-tokens.ts';
import { setEntry, setRefs, testEntry, testHolder } from './entry-patch.ts';
import { operationKey } from './operation-key.ts';
import { testMirror } from './write-mirror.ts';

/** Returns the journal entry of a condition as stored, to be tested by a patch. */
const writtenOf = ({ status }: Workspace, type: string): GuardEntry | undefined => status?.guards?.[type];

interface EmptyEntryOptions {
  readonly holder: string;
  readonly nonce: string;
  /** Time, ms. */
  readonly now: number;
  /** Highest token that this process has seen of the condition. */
  readonly newest: number;
}

/**
 * Returns the entry of a condition without attempts. It is written only while finalizer and mirror are absent, so it stays valid until an intent replaces
 * it. If another integration had the condition before, its tokens continue. Otherwise tokens begin above every token that an older status can contain.
 * `nonce` makes the operation keys of this journal unique for the workspace.
 */
export const emptyEntry = (
  workspace: Workspace,
  type: string,
  { holder, nonce, now, newest }: EmptyEntryOptions,
): GuardEntry => {
  const { token: before = 0, mirrored } = writtenOf(workspace, type) ?? {};
  const token = Math.max(before, newest, highestTokenOf(workspace));
  const key = operationKey(workspace, `${type}/${nonce}`, 0);
  return { phase: 'none', op: 'task', key, token, holder, since: timestamp(now), ...(mirrored && { mirrored }) };
};

const entryPath = (type: string, ...rest: readonly string[]): string => pointer('status', 'guards', type, ...rest);

/** Journal entry of one condition and the condition that reports it, always written in one request. */
export interface JournalWrite {
  readonly type: string;
  readonly entry: GuardEntry;
  readonly condition: Condition;
}

/** Sets the entry; creates missing parents with a test that they are missing. */
function placeEntry(workspace: Workspace, write: JournalWrite): readonly JsonPatchOperation[] {
  if (workspace.status?.guards !== undefined) return setEntry(workspace, write);
  return [test('/status/guards', null), add('/status/guards', { [write.type]: write.entry })];
}

/** Sets the condition at its known index; before an append, the whole array is tested. */
function placeCondition({ status }: Workspace, condition: Condition): readonly JsonPatchOperation[] {
  const conditions = status?.conditions;
  if (conditions === undefined) return [test('/status/conditions', null), add('/status/conditions', [condition])];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  if (index === -1) return [test('/status/conditions', conditions), add('/status/conditions/-', condition)];
  const path = `/status/conditions/${index}`;
  return [test(`${path}/type`, condition.type), { op: 'replace', path, value: condition }];
}

function place(workspace: Workspace, write: JournalWrite): readonly JsonPatchOperation[] {
  const { type, entry, condition } = write;
  if (workspace.status === undefined)
    return [test('/status', null), add('/status', { guards: { [type]: entry }, conditions: [condition] })];
  return [...placeEntry(workspace, write), ...placeCondition(workspace, condition)];
}

/** Returns the `test` that there is no entry, in an existing status. */
const absent = ({ status }: Workspace, type: string): JsonPatchOperation =>
  test(status?.guards === undefined ? '/status/guards' : entryPath(type), null);

/** Workspace as last seen, and the generation of the spec that is acted on, which may be an earlier one. */
interface ActedOn {
  readonly workspace: Workspace;
  readonly generation: number | undefined;
}

/**
 * Returns the patch of `/status` that makes an intent durable. It tests all the state that the decision was based on: uid, generation, deletion, the
 * claim at its index, the entry as read, the index of the condition. It does not test the resourceVersion: unrelated writes don't matter.
 */
export function intentPatch(
  { workspace, generation }: ActedOn,
  claim: string,
  write: JournalWrite,
): readonly JsonPatchOperation[] {
  const { uid, deletionTimestamp, finalizers = [] } = workspace.metadata;
  return [
    test('/metadata/uid', uid),
    test('/metadata/generation', generation),
    test('/metadata/deletionTimestamp', deletionTimestamp),
    test(`/metadata/finalizers/${finalizers.indexOf(claim)}`, claim),
    ...testEntry(workspace, write.type),
    ...place(workspace, write),
  ];
}

/** Returns the patch of `/status` that settles an attempt; refused once another holder has taken over (token, holder) or handed ids over (late). */
export function outcomePatch(
  workspace: Workspace,
  held: Pick<GuardEntry, 'token' | 'holder'>,
  write: JournalWrite,
): readonly JsonPatchOperation[] {
  const { type } = write;
  return [
    test('/metadata/uid', workspace.metadata.uid),
    ...testHolder(type, held),
    test(entryPath(type, 'late'), writtenOf(workspace, type)?.late),
    ...place(workspace, write),
  ];
}

/** Returns the patch of `/status` that writes a missing or untrusted entry anew; refused if there is one meanwhile, or the mirror has changed. */
export const rewritePatch = (workspace: Workspace, write: JournalWrite): readonly JsonPatchOperation[] => [
  test('/metadata/uid', workspace.metadata.uid),
  testMirror(workspace, write.type),
  ...testEntry(workspace, write.type),
  ...place(workspace, write),
];

/** Returns the patch of `/status` by which a live attempt renews its lease. */
export const beatPatch = (type: string, entry: GuardEntry): readonly JsonPatchOperation[] => [
  ...testHolder(type, entry),
  add(entryPath(type, 'beat'), (entry.beat ?? 0) + 1),
];

/** Returns the patch of `/status` by which a live attempt makes its ids so far durable. */
export const checkpointPatch = (
  workspace: Workspace,
  { type, entry }: Pick<JournalWrite, 'type' | 'entry'>,
  refs: readonly object[],
): readonly JsonPatchOperation[] => [...testHolder(type, entry), ...setRefs(writtenOf(workspace, type), type, refs)];

/** Returns the patch of `/status` by which a fenced attempt hands over ids. */
export function latePatch(entry: GuardEntry, type: string, refs: readonly object[]): readonly JsonPatchOperation[] {
  const { late } = entry;
  return [
    test(entryPath(type, 'token'), entry.token),
    test(entryPath(type, 'late'), late),
    add(entryPath(type, 'late'), [...(late ?? []), ...refs]),
  ];
}

/** Returns the patch of `/status` that sets a condition alone; refused when its journal entry has changed or appeared since it was read. */
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

/** Returns the condition to write with an entry, with its transition time. */
export const conditionFor = (
  { workspace, generation }: ActedOn,
  next: Omit<NewCondition, 'observedGeneration'>,
  now: number,
): Condition => nextCondition(conditionOf(workspace, next.type), { ...next, observedGeneration: generation }, now);
