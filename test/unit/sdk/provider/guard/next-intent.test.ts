import test from 'ava';
import { effectiveEntry, type Mirror } from '../../../../../sdk/host/index.ts';
import type { GuardEntry, MirrorRecord, Workspace } from '../../../../../sdk/index.ts';
import { type ConditionState, type IntentOptions, nextIntent } from '../../../../../sdk/provider/guard/next-intent.ts';
import { emptyEntry } from '../../../../../sdk/provider/journal/journal-patch.ts';
import { operationKey } from '../../../../../sdk/provider/journal/operation-key.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';

const beginning = (more: Partial<IntentOptions> = {}): IntentOptions => ({
  op: 'create',
  input: undefined,
  holder: 'one/b',
  leaseSeconds: 30,
  now: 0,
  lost: false,
  ...more,
});
const known = (workspace: Workspace, mirror: Mirror = { kind: 'none' }): ConditionState => {
  const entry = workspace.status?.guards?.DNS;
  return {
    workspace,
    type: 'DNS',
    claim: 'se.quencer.io/dns',
    entry: effectiveEntry(workspace, entry, mirror),
    late: (entry?.late ?? []) as ConditionState['late'],
    newestToken: Math.max(entry?.token ?? 0, 'record' in mirror ? mirror.record.token : 0),
    mirror,
  };
};
const after = (entry: Partial<GuardEntry>, more?: Partial<IntentOptions>, generation = 1) =>
  nextIntent(known(aWorkspace({ guards: { DNS: entry }, generation })), beginning(more));
const key = (count: number) => operationKey(aWorkspace(), 'DNS', count);
const record: MirrorRecord = {
  ...{ cluster: '', namespace: 'default', name: 'shop', uid: 'uid-shop', condition: 'DNS' },
  ...{ token: 9, refs: [{ id: 1 }], requestMs: 0 },
};

test('a key is a DNS label, and differs by workspace, condition and count', (t) => {
  const keys = [
    key(1),
    key(2),
    operationKey(aWorkspace({ name: 'b' }), 'DNS', 1),
    operationKey(aWorkspace(), 'Mail', 1),
  ];
  t.is(new Set(keys).size, 4);
  for (const one of keys) t.regex(one, /^[a-z0-9-]{1,63}$/);
});

test('the first operation counts from one, and follows what was noted before the claim', (t) => {
  const note = emptyEntry(aWorkspace(), 'DNS', { holder: 'one', nonce: 'n', now: 0, newest: 0 });
  t.like(after(note), {
    key: note.key.replace(/0$/, '1'),
    token: note.token + 1,
    attempt: 1,
    phase: 'intent',
    previous: 'Initialized',
  });
});

test('the tokens of a journal that begins anew are above all that its workspace can have had', (t) => {
  const tokenAt = (resourceVersion: string, newest = 0): number => {
    const made = aWorkspace();
    const read = { ...made, metadata: { ...made.metadata, resourceVersion } };
    return emptyEntry(read, 'DNS', { holder: 'one', nonce: 'n', now: 0, newest }).token;
  };
  t.is(tokenAt('1234'), 1234);
  t.is(tokenAt('1234', 2000), 2000, 'etcd was restored: its versions begin again');
  t.is(tokenAt('no number'), 0);
});

const cases: readonly (readonly [
  title: string,
  entry: Partial<GuardEntry>,
  more: Partial<IntentOptions>,
  generation: number,
  like: Partial<GuardEntry>,
])[] = [
  [
    'what is done is followed by the next operation',
    { key: key(3), token: 7 },
    {},
    1,
    { key: key(4), token: 8, attempt: 1 },
  ],
  [
    'a definite failure is tried again as the same operation',
    { phase: 'failed', key: key(3), token: 7, attempt: 2, generation: 1 },
    {},
    1,
    { key: key(3), token: 8, attempt: 3 },
  ],
  [
    'after a changed spec it is another operation',
    { phase: 'failed', key: key(3), token: 7, generation: 1 },
    {},
    2,
    { key: key(4), token: 8, attempt: 1 },
  ],
  [
    'an unresolved attempt continues under its key, ambiguous',
    { phase: 'intent', key: key(3), token: 7, previous: 'Waiting' },
    {},
    1,
    { key: key(3), token: 8, ambiguous: true, previous: 'Waiting' },
  ],
  [
    'deleting after an unresolved creation is another operation, still ambiguous',
    { phase: 'intent', key: key(3), token: 7 },
    { op: 'delete' },
    1,
    { key: key(4), token: 8, ambiguous: true },
  ],
  ['ambiguity survives what is done', { key: key(3), token: 7, ambiguous: true }, {}, 1, { ambiguous: true }],
  [
    'ids are carried on',
    { key: key(3), token: 7, refs: [{ id: 1 }], late: [{ id: 2 }] },
    {},
    1,
    { refs: [{ id: 1 }], late: [{ id: 2 }] },
  ],
];
for (const [title, entry, more, generation, like] of cases)
  test(title, (t) => t.like(after(entry, more, generation), like));

test('an entry that was lost is ambiguous, and takes its ids from the mirror', (t) => {
  const lost = nextIntent(known(aWorkspace(), { kind: 'own', record }), beginning({ lost: true }));
  t.like(lost, { lost: true, ambiguous: true, refs: [{ id: 1 }], token: 10 });
});

test('an entry older than the mirror was put back: its token and key are not gone on from', (t) => {
  const workspace = aWorkspace({ guards: { DNS: { token: 5, key: key(5) } } });
  const next = nextIntent(known(workspace, { kind: 'own', record }), beginning({ lost: true }));
  t.is(next.token, 10);
  t.not(next.key, key(6));
});

test('what an earlier workspace of the name has left is taken over, each thing with the uid whose mark it bears', (t) => {
  const object = { slot: 'a', id: { id: 1 }, hash: 'h' };
  const former = { ...record, uid: 'uid-before', refs: [object, { id: 2 }], formerly: ['uid-first'] };
  const next = nextIntent(known(aWorkspace(), { kind: 'predecessor', record: former }), beginning({ lost: true }));
  t.deepEqual(next.refs, [{ ...object, owner: 'uid-before' }, { id: 2 }]);
  t.deepEqual(next.formerly, ['uid-first', 'uid-before']);
});

test('a key is never used twice: after a lost journal keys begin anew', (t) => {
  const { key: first } = nextIntent(known(aWorkspace()), beginning({ lost: true, holder: 'one/c' }));
  const { key: other } = nextIntent(known(aWorkspace()), beginning({ lost: true, holder: 'two/d' }));
  t.is(new Set([key(1), first, other]).size, 3);
  t.regex(String(first), /^[a-z0-9-]{1,61}-1$/);
  t.is(after({ key: first!, token: 1 }).key, first!.replace(/1$/, '2'));
});

test('what came to an end is not carried on as anything it was not', (t) => {
  t.deepEqual(anEntry().phase, 'done');
  t.is(after({ token: 1 }).ambiguous, undefined);
});

test('what was lost stays lost until all that there is has been looked at', (t) => {
  t.like(after({ phase: 'intent', op: 'create', lost: true }), { lost: true, attempt: 2 });
  t.true(after({ phase: 'done', op: 'create', lost: true }, { op: 'delete' }).lost);
});

test('ids that were handed over to an entry that is not trusted are kept', (t) => {
  const late = [{ id: 7 }];
  const lost = { ...known(aWorkspace()), late };
  t.deepEqual(nextIntent(lost, beginning({ lost: true })).late, late);
  const mirrored = { ...known(aWorkspace(), { kind: 'own', record }), late: [{ id: 1 }] };
  t.is(nextIntent(mirrored, beginning({ lost: true })).late, undefined, 'the mirror names it');
});
