import test from 'ava';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import { defineIntegration } from '../../../../../sdk/provider/contract/define-integration.ts';
import { mistakeInPermissions, rulesOf } from '../../../../../sdk/provider/contract/permissions.ts';

test('without permissions an integration may do with what it owns what its controller can', (t) => {
  const rule = { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch', 'get', 'create', 'patch', 'delete'] };
  t.deepEqual(rulesOf({ owns: [Pod] }), [rule]);
  t.deepEqual(rulesOf({ owns: [Pod], permissions: [] }), [{ ...rule, verbs: ['list', 'watch'] }]);
  t.deepEqual(rulesOf({}), []);
});

test('permissions of the wrong shape are reported by their place', (t) => {
  t.is(mistakeInPermissions([]), undefined);
  t.is(mistakeInPermissions({} as never), 'must be a list of rules');
  for (const wrong of [
    undefined,
    {},
    { apiGroups: [''], resources: [], verbs: ['get'] },
    { apiGroups: '', resources: ['a'], verbs: ['get'] },
  ])
    t.is(
      mistakeInPermissions([{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }, wrong as never]),
      '[1] must have the lists of strings apiGroups, resources and verbs',
    );
  const integration = {
    name: 'a',
    condition: 'A',
    handles: () => true,
    connect: () => ({}) as never,
    permissions: [{}] as never,
  };
  t.throws(() => defineIntegration(integration), {
    message: /^integration "a": permissions \[0\] must have the lists/,
  });
});
