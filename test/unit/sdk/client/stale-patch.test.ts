import test from 'ava';
import { orStale } from '../../../../sdk/client/stale-patch.ts';
import { InvalidError, NotFoundError, StaleError } from '../../../../sdk/index.ts';

const key = { namespace: 'default', name: 'shop' };
const request = { method: 'PATCH', path: '/x', server: 's' };
const status = { kind: 'Status', apiVersion: 'v1', code: 422 } as const;

test('a refused test is reported as stale, with what the server said as its cause', async (t) => {
  const refusal = new InvalidError(status, request);
  const error = await t.throwsAsync(orStale(key, Promise.reject(refusal)), { instanceOf: StaleError });
  t.is(error.message, 'default/shop has changed meanwhile');
  t.is(error.cause, refusal);
});

test('anything else passes through', async (t) => {
  await t.throwsAsync(orStale(key, Promise.reject(new NotFoundError(status, request))), { instanceOf: NotFoundError });
  t.is(await orStale(key, Promise.resolve(1)), 1);
});

test('what breaks the schema is no race: no later try would go better', async (t) => {
  const causes = [
    { reason: 'FieldValueTypeInvalid', message: 'must be integer', field: 'status.guards.DNS.leaseSeconds' },
  ];
  const refusal = new InvalidError({ ...status, details: { causes } }, request);
  t.is(await t.throwsAsync(orStale(key, Promise.reject(refusal))), refusal);
});
