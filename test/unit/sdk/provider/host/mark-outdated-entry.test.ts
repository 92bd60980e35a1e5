import test from 'ava';
import type { GuardEntry } from '../../../../../sdk/index.ts';
import { outdatedEntry } from '../../../../../sdk/provider/host/mark-outdated-entry.ts';

const entry: GuardEntry = {
  ...{ phase: 'done', op: 'create', key: 'ws-a-7', token: 7, attempt: 2, holder: 'a', since: '2026-01-01T00:00:00Z' },
};
const doubt = { ambiguous: true, lost: true } as const;

for (const phase of ['done', 'failed'] as const)
  test(`an attempt that has ended (${phase}) is followed by a search: no operation, and no attempt since`, (t) => {
    const { attempt: _, ...rest } = entry;
    t.deepEqual(outdatedEntry({ ...entry, phase }), { ...rest, phase, op: 'task', ...doubt });
  });

for (const open of [{ phase: 'intent' }, { phase: 'unknown' }, { phase: 'failed', unresolved: true }] as const)
  test(`an operation without a known outcome (${open.phase}) stays open`, (t) =>
    t.deepEqual(outdatedEntry({ ...entry, ...open }), { ...entry, ...open, ...doubt }));
