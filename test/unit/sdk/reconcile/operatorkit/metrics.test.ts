import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { createMetrics } from '../../../../../sdk/metrics/index.ts';
import { crud } from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { withMetrics } from '../../../../../sdk/reconcile/operatorkit/metrics.ts';
import { withRetry } from '../../../../../sdk/reconcile/operatorkit/retry.ts';
import type { Reconciler } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aConfigMap } from '../../operator/controlled.ts';

const service = 'dnsOperator';

/** A crud resource with a creation that fails the given number of times. */
function failing(times: number) {
  let left = times;
  return crud<ConfigMap, number, number, string>({
    name: 'dns',
    getCurrentState: () => 0,
    getDesiredState: () => 1,
    newUpdatePatch: () => ({ create: 'record' }),
    applyCreateChange: () => {
      left -= 1;
      if (left >= 0) throw new Error('no');
    },
  });
}

type Measured = (observer: ReturnType<typeof createMetrics>['observer']) => Reconciler<ConfigMap>;

/** Runs a reconciler once; resolves with a function that returns the sample of an operation, and the error if it failed. */
async function run(measured: Measured, subsystem: 'controller' | 'framework' = 'controller') {
  const clock = createManualClock();
  const metrics = createMetrics({ clock, subsystem });
  const running = measured(metrics.observer)(requestFor(ConfigMap, aConfigMap('a'), { clock })).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  await clock.advance(10_000);
  const lines = (await metrics.text()).split('\n');
  const sample = (name: string, operation = 'ApplyCreateChange') => {
    const start = `operatorkit_${subsystem}_operation${name}{service="${service}",resource="dns",operation="${operation}"} `;
    const line = lines.find((one) => one.startsWith(start));
    return line === undefined ? undefined : Number(line.slice(start.length));
  };
  return { sample, error: await running };
}

test('OK-15: around retries an operation counts once, inside of them each try counts', async (t) => {
  const outside = await run((observer) => withMetrics({ observer, service }, withRetry({}, failing(2))));
  t.deepEqual([outside.sample('_total'), outside.sample('_error_total')], [1, undefined]);
  t.is(outside.sample('_sum'), 2);

  const inside = await run((observer) => withRetry({}, withMetrics({ observer, service }, failing(2))));
  t.deepEqual([inside.sample('_total'), inside.sample('_error_total')], [3, 2]);
  t.is(inside.sample('_sum'), 0);
});

test('every operation has its own series, labelled by service, resource and operation', async (t) => {
  const { sample } = await run((observer) => withMetrics({ observer, service }, failing(0)));
  for (const operation of ['GetCurrentState', 'GetDesiredState', 'NewUpdatePatch', 'ApplyCreateChange'])
    t.is(sample('_total', operation), 1, operation);
});

test('OK-c11: a failed operation counts in a counter that only rises', async (t) => {
  const { sample, error } = await run((observer) => withMetrics({ observer, service }, failing(9)));
  t.is(error, 'no');
  t.deepEqual([sample('_total'), sample('_error_total')], [1, 1]);
});

test('OK-15: series are named as operatorkit’s first ones were, where asked', async (t) => {
  const { sample } = await run((observer) => withMetrics({ observer, service }, failing(0)), 'framework');
  t.deepEqual([sample('_total'), sample('_count')], [1, 1]);
});

test('an observer of something else sees no operation, and none at all is a mistake', async (t) => {
  const reconcile = withMetrics({ observer: {}, service }, failing(0));
  t.deepEqual(await reconcile(requestFor(ConfigMap, aConfigMap('a'))), {});
  t.throws(() => withMetrics({ service } as never, failing(0)), { message: 'withMetrics: observer is missing' });
  t.throws(() => withMetrics({ meter: {}, service } as never, failing(0)), { message: /meter is not an option/ });
});
