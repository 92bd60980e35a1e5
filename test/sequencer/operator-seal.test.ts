import test from 'ava';
import { operatorSeal } from '../../sequencer/operator-seal.ts';
import { aSeal } from '../a-seal.ts';
import { aStage, refusing } from '../a-stage.ts';

const never = new AbortController().signal;

test('it has no key before it is loaded, and the Secret’s afterwards', async (t) => {
  const { client, clock } = await aStage();
  const seal = operatorSeal({ client, operatorNamespace: 'default', clock });
  t.is(seal.current().sign('text'), undefined);
  await seal.load(never);
  t.truthy(seal.current().sign('text'));
});

test('a seal that is given is the seal', async (t) => {
  const { client, clock } = await aStage();
  const seal = operatorSeal({ client, operatorNamespace: 'nowhere', seal: aSeal, clock });
  await seal.load(never);
  t.is(seal.current(), aSeal);
});

test('a server that gives no answer is asked again; one that has no such namespace is an error', async (t) => {
  const stage = await aStage();
  let cut = true;
  stage.cluster.intercept((request, next) => (cut ? Promise.reject(new Error('reset')) : next(request)));
  const seal = operatorSeal({ client: stage.client, operatorNamespace: 'default', clock: stage.clock });
  const loading = seal.load(never);
  for (let turn = 0; turn < 20; turn += 1) await stage.clock.advance(1_000);
  t.is(seal.current().sign('text'), undefined);
  cut = false;
  for (let turn = 0; turn < 60; turn += 1) await stage.clock.advance(1_000);
  await loading;
  t.truthy(seal.current().sign('text'));
  await t.throwsAsync(operatorSeal({ ...stage, operatorNamespace: 'nowhere' }).load(never), { name: 'NotFoundError' });
});

test('without the right there is no key, and nothing is waited for', async (t) => {
  const stage = await aStage();
  refusing(stage, ({ url }) => url.includes('/secrets'), { code: 403, reason: 'Forbidden', message: 'no' });
  const seal = operatorSeal({ ...stage, operatorNamespace: 'default' });
  await seal.load(never);
  t.is(seal.current().sign('text'), undefined);
});
