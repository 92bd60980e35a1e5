import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import type { ObjectKey } from '../../../../../sdk/api/object.ts';
import { GiveUpError } from '../../../../../sdk/errors.ts';
import { freeStyle } from '../../../../../sdk/reconcile/okt/free-style.ts';
import { stepper } from '../../../../../sdk/reconcile/okt/stepper.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { Results } from '../../../../../sdk/reconcile/results.ts';
import { aConfigMap, inDefault } from '../../operator/controlled.ts';

test('is called once, while the object is there, and what it notes and returns adds up', async (t) => {
  const seen: string[] = [];
  const reconcile = freeStyle<ConfigMap>(async ({ object, results }) => {
    seen.push(object.metadata.name);
    results.addOp('AskRequeue', { requeueAfter: 5000 });
    return { requeueAfter: 9000, state: { n: 1 } };
  });
  t.deepEqual(await reconcile(requestFor(ConfigMap, aConfigMap('a'))), { requeueAfter: 5000, state: { n: 1 } });
  t.deepEqual(await reconcile(requestFor(ConfigMap, inDefault('gone'))), {});
  t.deepEqual(seen, ['a']);
});

test('fails with what it throws, or with the alarm it gave before', async (t) => {
  const failing = freeStyle<ConfigMap>(() => {
    throw new Error('no');
  });
  await t.throwsAsync(failing(requestFor(ConfigMap, aConfigMap('a'))), { message: 'no' });
  const alarming = freeStyle<ConfigMap>(({ results }) => {
    results.addGiveupError('CRSemanticError', { error: new Error('alarm') });
    throw new Error('no');
  });
  await t.throwsAsync(alarming(requestFor(ConfigMap, aConfigMap('a'))), { instanceOf: GiveUpError, message: 'alarm' });
});

test('OKT-6: with the option it is called for an object that is not there, too', async (t) => {
  const seen: unknown[] = [];
  const reconcile = freeStyle<ConfigMap>(() => t.fail('it is not there'), {
    gone({ key, object, results, event, data }) {
      seen.push(key.name, object, event?.object.data?.x, data.size);
      results.addOp('Deleted', { requeueAfter: 5000 });
    },
  });
  const event = { action: 'deleted', object: aConfigMap('a', { x: '1' }) } as const;
  t.deepEqual(await reconcile(requestFor(ConfigMap, inDefault('a'), { cause: 'deleted', event })), {
    requeueAfter: 5000,
  });
  t.deepEqual(seen, ['a', undefined, '1', 0]);
  const failing = freeStyle<ConfigMap>(() => undefined, { gone: () => Promise.reject(new Error('no')) });
  await t.throwsAsync(failing(requestFor(ConfigMap, inDefault('a'))), { message: 'no' });
});

test('results of the caller’s own are what a run notes into, for both engines', async (t) => {
  const all = new Map<string, Results>();
  const results = ({ key }: { readonly key: ObjectKey }) => {
    const own = new Results();
    all.set(key.name, own);
    return own;
  };
  const free = freeStyle<ConfigMap>((context) => context.results.addOpSuccess('Created', 'a thing'), { results });
  await free(requestFor(ConfigMap, aConfigMap('a')));
  const stepped = stepper<ConfigMap>({ Updater: (context) => context.results.addOpSuccess('Updated') }, { results });
  await stepped(requestFor(ConfigMap, aConfigMap('b')));
  t.deepEqual(all.get('a')?.operations, [{ name: 'Created', resource: 'a thing' }]);
  t.deepEqual(all.get('b')?.counts, { Updated: 1 });
});
