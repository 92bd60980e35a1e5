import test from 'ava';
import { ConfigMap } from '../../../sdk/api/kinds.ts';
import { GiveUpError } from '../../../sdk/errors.ts';
import { freeStyle } from '../../../sdk/reconcile/free-style.ts';
import { requestFor } from '../../../sdk/reconcile/request.ts';
import { aConfigMap, inDefault } from '../operator/controlled.ts';

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
