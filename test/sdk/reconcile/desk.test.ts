import test from 'ava';
import { ConfigMap } from '../../../sdk/api/kinds.ts';
import { deskOf } from '../../../sdk/reconcile/desk.ts';
import { requestFor } from '../../../sdk/reconcile/request.ts';
import { aConfigMap } from '../operator/controlled.ts';

test('a desk is its run’s request and more, and makes no logger before one is asked for', (t) => {
  let made = 0;
  const request = Object.defineProperty({ ...requestFor(ConfigMap, aConfigMap('a')) }, 'logger', {
    get: () => {
      made += 1;
      return { debug: () => undefined };
    },
    enumerable: true,
    configurable: true,
  });
  const [one, other] = [deskOf(request, aConfigMap('a'), {}), deskOf(request, aConfigMap('a'), {})];
  t.is(made, 0);
  t.is(one.id, request.id);
  t.not(one.results, other.results);
  t.not(one.resources, other.resources);
  one.logger.debug('now');
  t.is(made, 1);
});
