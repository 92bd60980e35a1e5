import test from 'ava';
import { ConflictError, conflictStatus } from '../../../cluster/managed-fields/conflicts.ts';
import { managerFromAgent, managersBefore } from '../../../cluster/managed-fields/field-manager.ts';
import { leaf, setOfPaths } from '../../../cluster/managed-fields/field-set.ts';
import {
  capManagers,
  entriesOf,
  identityOf,
  isReset,
  isSameButTimes,
  type Manager,
  type Managers,
  managersFrom,
} from '../../../cluster/managed-fields/managers.ts';
import { managersAfterScale, scaleManagersOf } from '../../../cluster/managed-fields/scale-managers.ts';

const manager = (name: string, more: Partial<Manager> = {}): Manager => ({
  manager: name,
  operation: 'Update',
  apiVersion: 'v1',
  fields: setOfPaths([['f:data', `f:${name}`]]),
  ...more,
});

const all = (...managers: readonly Manager[]): Managers => new Map(managers.map((one) => [identityOf(one), one]));

test('appliers come first, then the manager that wrote longest ago; what was never written comes before', (t) => {
  const managers = all(
    manager('c', { time: '2030-01-01T00:00:02Z' }),
    manager('b', { time: '2030-01-01T00:00:01Z' }),
    manager('d'),
    manager('a', { operation: 'Apply', time: '2030-01-01T00:00:09Z' }),
    manager('b', { time: '2030-01-01T00:00:01Z', subresource: 'status' }),
  );
  const entries = entriesOf(managers) ?? [];
  t.deepEqual(
    entries.map((entry) => [entry.manager, entry.subresource]),
    [
      ['a', undefined],
      ['d', undefined],
      ['b', undefined],
      ['b', 'status'],
      ['c', undefined],
    ],
  );
  t.deepEqual(entries[2], {
    manager: 'b',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2030-01-01T00:00:01Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:b': {} } },
  });
  t.deepEqual(entriesOf(managersFrom(entries)!), entries);
  t.is(entriesOf(new Map()), undefined);
});

test('an applier is the same at every version, an updater is not', (t) => {
  t.is(
    identityOf(manager('a', { operation: 'Apply', apiVersion: 'v2' })),
    identityOf(manager('a', { operation: 'Apply' })),
  );
  t.not(identityOf(manager('a', { apiVersion: 'v2' })), identityOf(manager('a')));
  t.not(identityOf(manager('a', { subresource: 'status' })), identityOf(manager('a')));
});

for (const [title, entries] of [
  ['no list', {}],
  ['an entry without an operation', [{ apiVersion: 'v1', fieldsType: 'FieldsV1' }]],
  ['an entry without a version', [{ operation: 'Apply', fieldsType: 'FieldsV1' }]],
  ['an entry with fields of another kind', [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2' }]],
  [
    'an entry with fields that are none',
    [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { spec: {} } }],
  ],
] as const) {
  test(`managers cannot be read from ${title}`, (t) => t.is(managersFrom(entries), undefined));
}

test('a write resets managers with an empty list, or one empty entry; what it names counts unless it cannot be read', (t) => {
  t.true(isReset([]));
  t.true(isReset([{}]));
  t.false(isReset([{ manager: 'a' }]));
  t.false(isReset(undefined));
  const live = entriesOf(all(manager('live')));
  const sent = entriesOf(all(manager('sent')));
  const names = (managers: Managers) => [...managers.values()].map((one) => one.manager);
  t.deepEqual(names(managersBefore({ live, sent: undefined })), ['live']);
  t.deepEqual(names(managersBefore({ live, sent })), ['sent']);
  t.deepEqual(names(managersBefore({ live, sent: [{ operation: 'x' }] })), ['live']);
  t.deepEqual(names(managersBefore({ live, sent: [{}] })), []);
  t.deepEqual(names(managersBefore({ live, sent: [{}], subresource: 'status' })), ['live']);
});

test('of more than ten updaters the oldest of a version become one; appliers stay', (t) => {
  const time = (second: number) => `2030-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  const updaters = Array.from({ length: 12 }, (_, index) => manager(`m${index}`, { time: time(index) }));
  const managers = capManagers(all(...updaters, manager('applier', { operation: 'Apply' })));
  t.is(managers.size, 11);
  t.deepEqual(managers.get(identityOf(manager('ancient-changes'))), {
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion: 'v1',
    time: time(2),
    fields: setOfPaths(['m0', 'm1', 'm2'].map((name) => ['f:data', `f:${name}`])),
  });
  t.is(capManagers(all(...updaters.slice(2))).size, 10);
});

test('times alone make no difference', (t) => {
  const at = (time: string) => entriesOf(all(manager('a', { time })));
  t.true(isSameButTimes(at('2030-01-01T00:00:00Z'), at('2031-01-01T00:00:00Z')));
  t.false(isSameButTimes(at('2030-01-01T00:00:00Z'), entriesOf(all(manager('b')))));
  t.false(isSameButTimes(at('2030-01-01T00:00:00Z'), undefined));
});

for (const [agent, name] of [
  ['kubectl/v1.34 (linux)', 'kubectl'],
  ['one two', 'one two'],
  ['tab\there/1', 'tabhere'],
  [undefined, ''],
  [`${'é'.repeat(80)}/1`, 'é'.repeat(64)],
] as const) {
  test(`the manager of ${JSON.stringify(agent)} is ${JSON.stringify(name)}`, (t) =>
    t.is(managerFromAgent(agent), name));
}

test('a conflict is reported by manager, with its subresource and the version of its updates', (t) => {
  const fields = setOfPaths([['f:spec', 'f:a'], ['f:spec', 'f:list', 'k:{"name":"x"}', 'f:b'], ['f:b']]);
  const one = { manager: manager('z', { operation: 'Apply' as const }), fields: setOfPaths([['f:b']]) };
  const two = { manager: manager('y', { subresource: 'status' }), fields };
  const { status, code } = conflictStatus(new ConflictError([one, two]));
  t.is(code, 409);
  t.is(
    status.message,
    [
      'Apply failed with 4 conflicts: conflicts with "y" with subresource "status" using v1:',
      '- .b',
      '- .spec.a',
      '- .spec.list[name="x"].b',
      'conflicts with "z":',
      '- .b',
    ].join('\n'),
  );
  const single = conflictStatus(new ConflictError([one])).status;
  t.is(single.message, 'Apply failed with 1 conflict: conflict with "z": .b');
  t.deepEqual(single.details, {
    causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "z"', field: '.b' }],
  });
});

test('the owner of the count owns that of the Scale; a client that takes it there takes it here', (t) => {
  const pathAt = (version: string) => (version === 'v1' ? ['f:spec', 'f:count'] : version === 'v2' ? null : undefined);
  const owner = manager('owner', {
    operation: 'Apply',
    fields: setOfPaths([
      ['f:spec', 'f:count'],
      ['f:spec', 'f:size'],
    ]),
  });
  const others = [manager('elsewhere', { apiVersion: 'v2' }), manager('gone', { apiVersion: 'v0' })];
  const managers = all(owner, ...others);
  const shown = [...scaleManagersOf(managers, pathAt).values()];
  t.deepEqual(shown, [{ ...owner, apiVersion: 'autoscaling/v1', fields: setOfPaths([['f:spec', 'f:replicas']]) }]);
  const scaled = { managers, apiVersion: 'v1', pathAt };
  t.deepEqual(managersAfterScale(scaled, all(...shown)), all(owner, others[0]!));
  const taker = manager('taker', { subresource: 'scale', apiVersion: 'autoscaling/v1', time: '2030-01-01T00:00:00Z' });
  const after = managersAfterScale(scaled, all({ ...taker, fields: setOfPaths([['f:spec', 'f:replicas']]) }));
  t.deepEqual(
    [...after.values()],
    [
      { ...owner, fields: setOfPaths([['f:spec', 'f:size']]) },
      others[0]!,
      {
        manager: 'taker',
        operation: 'Update',
        apiVersion: 'v1',
        subresource: 'scale',
        fields: setOfPaths([['f:spec', 'f:count']]),
      },
    ],
  );
  t.is(scaleManagersOf(all(manager('x', { fields: leaf })), pathAt).size, 0);
});
