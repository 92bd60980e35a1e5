import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { GiveUpError } from '../../../../../sdk/errors.ts';
import {
  isExecutionFailed,
  isInvalidConfig,
  isNoResourceSet,
} from '../../../../../sdk/reconcile/operatorkit/config-errors.ts';
import { configMapResource } from '../../../../../sdk/reconcile/operatorkit/config-resources.ts';
import { crud } from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { resource, resources } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { withRetry } from '../../../../../sdk/reconcile/operatorkit/retry.ts';
import { resourceSet, router } from '../../../../../sdk/reconcile/operatorkit/router.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aConfigMap } from '../../operator/controlled.ts';

const nothing = () => undefined;
const own = (name: string) => resource<ConfigMap>({ name, ensureCreated: nothing, ensureDeleted: nothing });
const aSet = (name: string, isOurs: boolean) =>
  resourceSet<ConfigMap>({ name, handles: () => isOurs, resources: [own(name)] });

/** Classes of an error, by the predicates that recognize them. */
const classesOf = (error: unknown): readonly boolean[] => [
  isInvalidConfig(error),
  isExecutionFailed(error),
  isNoResourceSet(error),
];

test('OK-6: what is put together wrongly is an invalid config, and a TypeError', (t) => {
  const steps = { getCurrentState: nothing, getDesiredState: nothing, newUpdatePatch: nothing };
  for (const wrong of [
    () => resources([]),
    () => own(''),
    () => crud<ConfigMap, void, void, void>({ name: '', ...steps }),
    () => crud<ConfigMap, void, void, void>({ name: 'dns', ...steps, order: 'any' as never }),
    () => withRetry({ retries: -1 }, own('a')),
    () => resourceSet<ConfigMap>({ name: 'none', handles: () => true, resources: [] }),
    () => router([aSet('a', true), aSet('a', true)]),
    () => router([]),
    () => router([own('a') as never]),
    () => aSet('', true),
    () => resourceSet<ConfigMap>({ name: 'all', resources: [own('a')] } as never),
    () => resources([own('a'), undefined as never]),
    () => resource<ConfigMap>({ name: 'half', ensureCreated: nothing } as never),
    () => crud<ConfigMap, void, void, void>({ name: 'half', getCurrentState: nothing } as never),
    () => configMapResource<ConfigMap>({ name: 'half', getCurrentState: () => [] } as never),
  ]) {
    const error = t.throws(wrong, { instanceOf: TypeError });
    t.deepEqual(classesOf(error), [true, false, false], error?.message);
  }
});

test('OK-8: several sets are an execution that failed, none is not a resource set; both give up', async (t) => {
  const request = requestFor(ConfigMap, aConfigMap('a'));
  const several = await t.throwsAsync(router([aSet('a', true), aSet('b', true)])(request), { instanceOf: GiveUpError });
  t.deepEqual(classesOf(several), [false, true, false]);
  const none = t.throws(() => router([aSet('a', false)]).resourceSet(aConfigMap('a')), { instanceOf: GiveUpError });
  t.deepEqual(classesOf(none), [false, false, true]);
  t.deepEqual(classesOf(new Error('another')), [false, false, false]);
});
