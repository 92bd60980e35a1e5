import test from 'ava';
import { Coverage } from '../../../compliance/observation/coverage.ts';
import { invocation } from '../../../compliance/observation/invocations.ts';
import { Observations } from '../../../compliance/observation/observations.ts';
import { recordedConnect } from '../../../compliance/observation/recorded-connect.ts';

const provider = { reconcile: async () => {}, terminate: async () => {} };
const call = { name: 'GET /boxes' } as never;

test('a connect that calls nothing has no mistake, and its provider is returned', async (t) => {
  const record = new Observations(new Coverage());
  t.is(await recordedConnect(record, () => provider), provider);
  t.deepEqual([...record.mistakes], []);
});

test('a call is a mistake, also of a connect that throws', async (t) => {
  const record = new Observations(new Coverage());
  const connect = async () => {
    invocation.getStore()?.calls.push(call);
    throw new Error('no answer');
  };
  await t.throwsAsync(recordedConnect(record, connect), { message: 'no answer' });
  t.regex([...record.mistakes].join(), /^connect sends GET \/boxes: it is called for each walk/);
});
