import test from 'ava';
import type { GuardEntry } from '../../../sdk/index.ts';
import { operationKey } from '../../../sdk/provider/journal.ts';
import { type Beginning, nextIntent } from '../../../sdk/provider/operation.ts';
import { anEntry, aWorkspace } from '../../a-workspace.ts';

const beginning = (more: Partial<Beginning> = {}): Beginning => ({
  op: 'create',
  input: undefined,
  holder: 'one/b',
  leaseSeconds: 30,
  now: 0,
  lost: false,
  ...more,
});
const after = (entry: Partial<GuardEntry>, more?: Partial<Beginning>, generation = 1) =>
  nextIntent(aWorkspace({ guards: { DNS: entry }, generation }), 'DNS', beginning(more));
const key = (count: number) => operationKey(aWorkspace(), 'DNS', count);

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

test('the first operation counts from one', (t) => {
  t.like(nextIntent(aWorkspace(), 'DNS', beginning()), {
    key: key(1),
    token: 1,
    attempt: 1,
    phase: 'intent',
    previous: 'Initialized',
  });
});

const cases: readonly (readonly [
  title: string,
  entry: Partial<GuardEntry>,
  more: Partial<Beginning>,
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
    'an unresolved attempt goes on under its key, ambiguous',
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
  const workspace = aWorkspace({ annotations: { 'external.se.quencer.io/DNS': '[{"id":1}]' } });
  t.like(nextIntent(workspace, 'DNS', beginning({ lost: true })), { lost: true, ambiguous: true, refs: [{ id: 1 }] });
});

test('a key is never used twice: after a lost journal keys begin anew', (t) => {
  const { key: first } = nextIntent(aWorkspace(), 'DNS', beginning({ lost: true, holder: 'one/c' }));
  const { key: other } = nextIntent(aWorkspace(), 'DNS', beginning({ lost: true, holder: 'two/d' }));
  t.is(new Set([key(1), first, other]).size, 3);
  t.regex(String(first), /^[a-z0-9-]{1,61}-1$/);
  t.is(after({ key: first!, token: 1 }).key, first!.replace(/1$/, '2'));
});

test('what came to an end is not carried on as anything it was not', (t) => {
  t.deepEqual(anEntry().phase, 'done');
  t.is(after({ token: 1 }).ambiguous, undefined);
});

test('what was lost stays lost for every attempt of that operation', (t) => {
  const lost = aWorkspace({ guards: { DNS: { phase: 'intent', op: 'create', lost: true } } });
  t.like(nextIntent(lost, 'DNS', beginning({ op: 'create' })), { lost: true, attempt: 2 });
  t.is(nextIntent(lost, 'DNS', beginning({ op: 'delete' })).lost, undefined);
});
