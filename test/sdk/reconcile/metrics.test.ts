import test from 'ava';
import { ConfigMap } from '../../../sdk/api/kinds.ts';
import { crud } from '../../../sdk/reconcile/crud.ts';
import {
  type OperationMeter,
  operationMetrics,
  operationMetricsOf,
  withMetrics,
} from '../../../sdk/reconcile/metrics.ts';
import { requestFor } from '../../../sdk/reconcile/request.ts';
import { withRetry } from '../../../sdk/reconcile/retry.ts';
import { createManualClock } from '../../cluster/manual-clock.ts';
import { aConfigMap } from '../operator/controlled.ts';

const service = 'dnsOperator';

function metered() {
  const counts: Record<string, number> = {};
  const seconds: Record<string, number> = {};
  const labelled: unknown[] = [];
  const meter: OperationMeter = {
    count(counter, labels) {
      labelled.push(labels);
      const name = `${counter} ${labels.operation}`;
      counts[name] = (counts[name] ?? 0) + 1;
    },
    observe(histogram, { operation }, took) {
      seconds[`${histogram} ${operation}`] = took;
    },
  };
  return { meter, counts, seconds, labelled };
}

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

async function run(reconcile: ReturnType<typeof failing>) {
  const clock = createManualClock();
  const running = reconcile(requestFor(ConfigMap, aConfigMap('a'), { clock }));
  running.catch(() => undefined);
  await clock.advance(10_000);
  return running;
}

const [total, errors, duration] = [operationMetrics.total, operationMetrics.errors, operationMetrics.duration].map(
  (name) => `${name} ApplyCreateChange`,
) as [string, string, string];

test('OK-15: around retries an operation counts once, inside of them each try counts', async (t) => {
  const outside = metered();
  await run(withMetrics({ meter: outside.meter, service }, withRetry({}, failing(2))));
  t.deepEqual([outside.counts[total], outside.counts[errors]], [1, undefined]);
  t.is(outside.seconds[duration], 2);

  const inside = metered();
  await run(withRetry({}, withMetrics({ meter: inside.meter, service }, failing(2))));
  t.deepEqual([inside.counts[total], inside.counts[errors]], [3, 2]);
  t.is(inside.seconds[duration], 0);
});

test('every operation has its own series, labelled by service, resource and operation', async (t) => {
  const { meter, counts, labelled } = metered();
  await run(withMetrics({ meter, service }, failing(0)));
  t.deepEqual(Object.keys(counts).sort(), [
    'operatorkit_controller_operation_total ApplyCreateChange',
    'operatorkit_controller_operation_total GetCurrentState',
    'operatorkit_controller_operation_total GetDesiredState',
    'operatorkit_controller_operation_total NewUpdatePatch',
  ]);
  t.deepEqual(labelled[0], { service, resource: 'dns', operation: 'GetCurrentState' });
});

test('OK-c11: a failed operation counts in a counter that only rises', async (t) => {
  const { meter, counts } = metered();
  await t.throwsAsync(run(withMetrics({ meter, service }, failing(9))), { message: 'no' });
  t.deepEqual([counts[total], counts[errors]], [1, 1]);
});

test('OK-15: series are named as operatorkit’s first ones were, where asked', async (t) => {
  const { meter, counts, seconds } = metered();
  await run(withMetrics({ meter, service, subsystem: 'framework' }, failing(0)));
  t.is(counts['operatorkit_framework_operation_total ApplyCreateChange'], 1);
  t.true('operatorkit_framework_operation ApplyCreateChange' in seconds);
  t.is(operationMetricsOf('controller').total, operationMetrics.total);
  t.is(operationMetrics.errors, 'operatorkit_controller_operation_error_total');
});
