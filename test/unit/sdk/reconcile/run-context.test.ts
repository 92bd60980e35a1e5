import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { runContextOf } from '../../../../sdk/reconcile/run-context.ts';
import { aConfigMap } from '../operator/controlled.ts';

test('a desk is its run’s request and more, and shares nothing with another', (t) => {
  const object = aConfigMap('a');
  const request = requestFor(ConfigMap, object, { state: { n: 1 }, event: { action: 'created', object } });
  const [one, other] = [runContextOf(request, object, {}), runContextOf(request, object, {})];
  for (const [member, value] of Object.entries(request)) t.is(one[member as keyof typeof request], value, member);
  t.not(one.results, other.results);
  t.not(one.resources, other.resources);
});
