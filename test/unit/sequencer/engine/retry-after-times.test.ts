import test from 'ava';
import { DefiniteError, defineIntegration, type Integration, ThrottledError } from '../../../../sdk/index.ts';
import { RetryAfterTimes } from '../../../../sequencer/engine/retry-after-times.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration: Integration = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});
const asked = { kind: 'reconcile', integration };

test('a third party that asked for patience is left alone for that long, for the same question', async (t) => {
  const clock = createManualClock();
  const retryAfterTimes = new RetryAfterTimes(clock);
  retryAfterTimes.note(aWorkspace(), asked, new ThrottledError('later', 5_000));
  await clock.advance(2_000);
  t.is(retryAfterTimes.wait(aWorkspace(), asked), 3_000);
  t.is(retryAfterTimes.wait(aWorkspace({ generation: 2 }), asked), 0, 'something else is wanted');
  t.is(retryAfterTimes.wait(aWorkspace(), { ...asked, kind: 'terminate' }), 0);
  t.is(
    retryAfterTimes.wait(aWorkspace(), { ...asked, integration: { ...integration, name: 'other' } }),
    0,
    'another party',
  );
  t.is(retryAfterTimes.wait(aWorkspace({ annotations: { 'se.quencer.io/policy': 'plan' } }), asked), 0);
  await clock.advance(3_000);
  t.is(retryAfterTimes.wait(aWorkspace(), asked), 0);
});

test('an answer, another error, a throttling without a time and the end of the workspace end the rest', (t) => {
  const retryAfterTimes = new RetryAfterTimes(createManualClock());
  for (const error of [undefined, new DefiniteError('no'), new ThrottledError('later')]) {
    retryAfterTimes.note(aWorkspace(), asked, new ThrottledError('later', 5_000));
    t.is(retryAfterTimes.wait(aWorkspace(), asked), 5_000);
    retryAfterTimes.note(aWorkspace(), asked, error);
    t.is(retryAfterTimes.wait(aWorkspace(), asked), 0);
  }
  retryAfterTimes.note(aWorkspace(), asked, new ThrottledError('later', 5_000));
  retryAfterTimes.forget({ namespace: 'default', name: 'shop' });
  t.is(retryAfterTimes.wait(aWorkspace(), asked), 0);
});

test('one that is throttled for long holds up no other: that one comes back when it wished to', async (t) => {
  const target = await aTargetCluster();
  let calls = 0;
  const throttled: Integration = {
    ...integration,
    connect: () => ({
      async reconcile() {
        calls += 1;
        throw new ThrottledError('later', 60_000);
      },
      terminate: async () => {},
    }),
  };
  const busy: Integration = {
    ...integration,
    name: 'mail',
    condition: 'Mail',
    connect: () => ({ reconcile: async () => ({ requeueAfter: 5_000 }), terminate: async () => {} }),
  };
  await target.create();
  const actor = target.actor([throttled, busy]);
  const error = (await t.throwsAsync(actor.walk(), { name: 'RetryError', message: 'later' })) as Error & {
    retryAfter: number;
  };
  t.is(error.retryAfter, 5_000);
  await target.clock.advance(5_000);
  t.deepEqual(await actor.walk(), { requeueAfter: 5_000 });
  t.is(calls, 1, 'patience was asked for');
});

test('one that fails beside one that is throttled is tried again by the retry policy', async (t) => {
  const target = await aTargetCluster();
  const failing = (name: string, condition: string, error: Error): Integration => ({
    ...integration,
    name,
    condition,
    connect: () => ({ reconcile: () => Promise.reject(error), terminate: async () => {} }),
  });
  await target.create();
  const [throttled, refused] = [new ThrottledError('later', 60_000), new DefiniteError('no')];
  const actor = target.actor([failing('dns', 'DNS', throttled), failing('mail', 'Mail', refused)]);
  t.is(await t.throwsAsync(actor.walk()), refused);
});
