import test from 'ava';
import type { Kind } from '../../../../../sdk/api/kind.ts';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import type { KubeObject } from '../../../../../sdk/api/object.ts';
import { CannotCastError, typed } from '../../../../../sdk/reconcile/grafana-app-sdk/typed.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aWidget, Widget } from '../../operator/a-widget.ts';
import { aConfigMap } from '../../operator/controlled.ts';

const isWidget = (object: KubeObject): object is Widget => object.kind === 'Widget';
const request = (kind: Kind, object: KubeObject) => requestFor<KubeObject>(kind, object, { cause: 'created' });

test('GRAF-T17: an object of another type is an error that says which', async (t) => {
  const reconcile = typed(isWidget, async () => t.fail() as never);
  const error = await t.throwsAsync(async () => reconcile(request(ConfigMap, aConfigMap('x'))), {
    instanceOf: CannotCastError,
    message: 'cannot cast :ConfigMap (default/x) into type',
  });
  t.like(error, { namespace: 'default', objectName: 'x', group: '', kind: 'ConfigMap' });
  const foreign = { ...aWidget('n'), kind: 'K', apiVersion: 'g/v1', metadata: { name: 'n', namespace: 'ns' } };
  await t.throwsAsync(async () => reconcile(request(Secret, foreign)), {
    message: 'cannot cast g:K (ns/n) into type',
  });
});

test('GRAF-T17: without a function it is done, whatever comes', async (t) => {
  t.deepEqual(await typed(isWidget)(request(ConfigMap, aConfigMap('x'))), {});
});

test('objects of the type are handed over, to a function or to a watcher', async (t) => {
  const sizes: number[] = [];
  const reconcile = typed(isWidget, async ({ object }) => {
    sizes.push(object.spec.size);
    return { requeueAfter: 5 };
  });
  t.deepEqual(await reconcile(request(Widget, aWidget('a', {}, 3))), { requeueAfter: 5 });
  await typed(isWidget, { add: ({ spec }) => void sizes.push(spec.size) })(request(Widget, aWidget('a', {}, 4)));
  t.deepEqual(sizes, [3, 4]);
});
