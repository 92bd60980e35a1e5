import { timestamp } from '../api/condition.ts';
import type { GuardEntry, Workspace } from '../api/workspace.ts';
import { conditionOf } from '../api/workspace.ts';
import { entryOf, operationKey } from './journal.ts';
import { mirrored } from './mirror.ts';

/** What an attempt is begun with. */
export interface Beginning {
  readonly op: GuardEntry['op'];
  readonly input: object | undefined;
  /** The process run with a nonce of this very attempt. */
  readonly holder: string;
  readonly leaseSeconds: number;
  readonly now: number;
  /** The entry was missing under our claim. */
  readonly lost: boolean;
}

const countOf = (key: string): number => Number(key.slice(key.lastIndexOf('-') + 1)) || 0;

/** Keys go on where they were. After a lost journal they begin anew, with nothing that was ever used: a third party would answer a used key with what it made then. */
function keyAfter(workspace: Workspace, type: string, { lost, holder }: Beginning): string {
  const key = entryOf(workspace, type)?.key;
  if (key === undefined) return operationKey(workspace, lost ? `${type}/${holder}` : type, 1);
  return `${key.slice(0, key.lastIndexOf('-'))}-${countOf(key) + 1}`;
}

/** Whether this attempt belongs to the operation of `entry`, which has not come to an end. */
const continues = (entry: GuardEntry, { op }: Beginning, generation: number | undefined): boolean =>
  entry.op === op && ((entry.phase === 'failed' && entry.generation === generation) || entry.phase === 'intent');

/** The entry of a new attempt: of the same operation where that has not come to an end, else of the next one. The token rises either way. */
export function nextIntent(workspace: Workspace, type: string, beginning: Beginning): GuardEntry {
  const seen = entryOf(workspace, type);
  const { op, input, holder, leaseSeconds, now, lost } = beginning;
  const { generation } = workspace.metadata;
  const same = seen !== undefined && continues(seen, beginning, generation);
  const repeated = same && seen.phase === 'intent' ? (seen.input ?? input) : input;
  const refs = seen === undefined ? mirrored(workspace, type) : (seen.refs ?? []);
  const previous = seen?.phase === 'intent' ? seen.previous : conditionOf(workspace, type).status;
  return {
    phase: 'intent',
    op,
    key: same ? seen.key : keyAfter(workspace, type, beginning),
    token: (seen?.token ?? 0) + 1,
    attempt: same ? (seen.attempt ?? 1) + 1 : 1,
    holder,
    since: timestamp(now),
    began: (same ? seen.began : undefined) ?? timestamp(now),
    leaseSeconds,
    beat: 0,
    ...((seen?.ambiguous || seen?.phase === 'intent' || lost) && { ambiguous: true }),
    ...((lost || (same && seen.lost)) && { lost: true }),
    ...(repeated !== undefined && { input: repeated as GuardEntry['input'] }),
    ...(refs.length > 0 && { refs: refs as GuardEntry['refs'] }),
    ...(seen?.late && { late: seen.late }),
    ...(previous !== undefined && { previous }),
    ...(generation !== undefined && { generation }),
  };
}
