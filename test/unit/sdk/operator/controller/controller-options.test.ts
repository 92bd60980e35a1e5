import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { createInformerController } from '../../../../../sdk/operator/controller/controller.ts';
import type { InformerControllerOptions } from '../../../../../sdk/operator/controller/controller-options.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { theServer } from '../controlled.ts';

test('refuses options that are unknown or make no sense', async (t) => {
  const { client } = await theServer();
  const good: InformerControllerOptions<ConfigMap> = { client, kind: ConfigMap, reconciler: async () => done };
  const refused = (options: object, message: RegExp) =>
    t.throws(() => createInformerController({ ...good, ...options }), { instanceOf: TypeError, message });
  refused({ worker: 3 }, /controller configmaps: worker is not an option; known are client/);
  refused({ workers: 0 }, /workers must be a whole number of at least 1, found 0/);
  refused({ deadline: -1 }, /deadline must be more than 0 ms, found -1/);
  refused({ drain: Number.NaN }, /drain must be 0 ms or more/);
  refused({ reconciler: undefined }, /reconciler is missing/);
});
