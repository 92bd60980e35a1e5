import test from 'ava';
import type { Client } from '../../../../../sdk/client/client.ts';
import { createWatchController } from '../../../../../sdk/operator/watch-controller/watch-controller.ts';

const client = {} as Client;
const refusals: readonly (readonly [object, string | RegExp])[] = [
  [{}, 'client cannot be nil'],
  [{ client, retryPolicies: 5 }, /retryPolicies is not an option; known are client, name, workers, tenantBy, deadline/],
  [{ client, workers: 0 }, /workers must be a whole number of at least 1, found 0/],
  [{ client, deadline: 0 }, /deadline must be more than 0 ms, found 0/],
  [{ client, drain: -1 }, /drain must be 0 ms or more, found -1/],
];
for (const [options, message] of refusals)
  test(`refuses ${JSON.stringify(options)}`, (t) => {
    t.throws(() => createWatchController(options as never), { instanceOf: TypeError, message });
  });

test('an informer must be one, of a kind', (t) => {
  const controller = createWatchController({ client });
  t.throws(() => controller.addInformer(undefined as never, ''), { message: 'informer cannot be nil' });
  t.throws(() => controller.addInformer({} as never, ''), { message: 'resourceKind cannot be empty' });
});
