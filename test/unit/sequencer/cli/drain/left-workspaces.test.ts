import test from 'ava';
import { ApiError, type Workspace } from '../../../../../sdk/index.ts';
import {
  blockerLines,
  externalObjectLines,
  isRefused,
  notDrainedError,
} from '../../../../../sequencer/cli/drain/left-workspaces.ts';

const aWorkspace = (
  rest: Partial<Pick<Workspace, 'status'>> & { readonly finalizers?: readonly string[] },
): Workspace =>
  ({
    apiVersion: 'se.quencer.io/v1alpha1',
    kind: 'Workspace',
    metadata: { namespace: 'team-a', name: 'shop', finalizers: rest.finalizers },
    spec: {},
    status: rest.status,
  }) as Workspace;

test('ids that stay outside are reported by condition, late ones too; a condition without any is not', (t) => {
  const entry = { op: 'create', key: 'k', token: 1, holder: 'h' };
  const guards = {
    DNS: { ...entry, phase: 'done', refs: [{ id: 'rec-1' }], late: [{ id: 'rec-2' }] },
    Database: { ...entry, phase: 'gone' },
  };
  const held = aWorkspace({ status: { guards } as Workspace['status'] });
  t.deepEqual(externalObjectLines(held), ['team-a/shop  DNS  stays outside: [{"id":"rec-1"},{"id":"rec-2"}]']);
  t.deepEqual(externalObjectLines(aWorkspace({})), []);
});

test('an operation whose outcome is not known is reported beside the ids, or alone', (t) => {
  const entry = { op: 'create', key: 'ws-1', token: 1, holder: 'h', phase: 'intent' };
  const guards = { Database: entry, DNS: { ...entry, op: 'update', key: 'ws-2', refs: [{ id: 'rec-1' }] } };
  t.deepEqual(externalObjectLines(aWorkspace({ status: { guards } as Workspace['status'] })), [
    'team-a/shop  Database  stays outside: the unknown outcome of "create" (key ws-1)',
    'team-a/shop  DNS  stays outside: [{"id":"rec-1"}], and the unknown outcome of "update" (key ws-2)',
  ]);
});

test('an id steers no terminal', (t) => {
  const entry = { op: 'create', key: 'k', token: 1, holder: 'h', phase: 'done', refs: [{ id: 'rec\u009b2J\u202e1' }] };
  const held = aWorkspace({ status: { guards: { DNS: entry } } as Workspace['status'] });
  t.deepEqual(externalObjectLines(held), ['team-a/shop  DNS  stays outside: [{"id":"rec 2J 1"}]']);
});

test('a workspace that is left is reported by its open conditions, in one line each, and by its claims', (t) => {
  const at = { lastTransitionTime: '2026-01-01T00:00:00Z' };
  const conditions = [
    { ...at, type: 'DNS', status: 'Error', reason: 'the zone\nis gone' },
    { ...at, type: 'Pods', status: 'Terminated', reason: 'gone' },
    { ...at, type: 'Ready', status: 'False', reason: 'deleting' },
  ];
  const held = aWorkspace({ status: { conditions } as Workspace['status'], finalizers: ['a.test/x', 'b.test/y'] });
  const [open, claims, ...more] = blockerLines(held);
  t.regex(open!, /^team-a\/shop {2}DNS {2}Error: the zone.{1,3}is gone$/);
  t.is(claims, 'team-a/shop  is claimed by a.test/x, b.test/y');
  t.deepEqual(more, []);
  t.deepEqual(blockerLines(aWorkspace({})), ['team-a/shop  is claimed by no integration']);
});

test('what is left is refused when each deletion is, and a fault of the server may pass', (t) => {
  const refusal = (code: number) =>
    new ApiError(
      { kind: 'Status', apiVersion: 'v1', code, message: 'no\nway' },
      { server: '', method: 'DELETE', path: '' },
    );
  const [one, other] = ['one', 'other'].map((uid) => ({ ...aWorkspace({}), metadata: { name: uid, uid } }));
  const left = [one!, other!];
  t.false(isRefused(left, new Map([['one', refusal(403)]])));
  t.true(isRefused(left, new Map(left.map(({ metadata: { uid } }) => [uid, refusal(403)]))));
  for (const code of [429, 500])
    t.false(isRefused(left, new Map(left.map(({ metadata: { uid } }) => [uid, refusal(code)]))));
  const { code, message, hint } = notDrainedError('not gone', left, {
    refusals: new Map([['one', refusal(403)]]),
    orphan: false,
  });
  t.deepEqual([code, message], ['E#2033', 'not gone: 2 workspaces']);
  t.deepEqual(hint?.split('\n').slice(0, 3), [
    'one  is not deleted: no way',
    'one  is claimed by no integration',
    'other  is claimed by no integration',
  ]);
});

test('what may be done next is what was not done yet, and a question is named with the command that answers it', (t) => {
  const at = { lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'whether it was made is unknown' };
  const conditions = [
    { ...at, type: 'Database', status: 'Unknown' },
    { ...at, type: 'Ready', status: 'Unknown' },
  ];
  const asking = aWorkspace({ status: { conditions } as Workspace['status'] });
  const hintOf = (left: Workspace, options: { readonly walks?: boolean; readonly orphan: boolean }) =>
    notDrainedError('not gone', [left], { refusals: new Map(), ...options })
      .hint?.split('\n')
      .slice(blockerLines(left).length);
  t.deepEqual(hintOf(asking, { walks: true, orphan: false }), [
    'to resolve: sequencer resolve shop Database --namespace team-a',
    'to keep the external objects: --orphan',
  ]);
  t.deepEqual(hintOf(aWorkspace({}), { orphan: false }), [
    'without a running operator: --config FILE --operator-namespace NAME',
    'to keep the external objects: --orphan',
  ]);
  t.deepEqual(hintOf(aWorkspace({}), { walks: true, orphan: true }), []);
});
