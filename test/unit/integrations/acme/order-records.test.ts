import test from 'ava';
import {
  digestOf,
  keyName,
  nextStep,
  type OrderRecord,
  ordersOf,
  spreadOf,
} from '../../../../integrations/acme/order-records.ts';

const wanted = digestOf(['a.example.test', 'b.example.test']);
const issued = { fingerprint: 'ab', notAfter: '2026-04-01T00:00:00Z', renewAt: '2026-03-01T00:00:00Z' };
const failed = { at: '2026-01-01T00:00:00Z', reason: 'no' };
const order = (id: string, more: Partial<OrderRecord> = {}): OrderRecord => ({ id, names: wanted, ...more });
const next = (orders: readonly OrderRecord[], { isDue = false, after = 0 } = {}) =>
  nextStep(orders, { wanted, isDue: () => isDue, now: Date.parse(failed.at) + after, retryInterval: 1_000 }).kind;

test('the next step follows from the orders', (t) => {
  t.is(next([]), 'order');
  t.is(next([order('1', { names: digestOf(['c']), issued })]), 'order');
  t.is(next([order('1')]), 'prove');
  t.is(next([order('1', { issued })]), 'keep');
  t.is(next([order('1', { issued })], { isDue: true }), 'order');
  t.is(next([order('1', { issued }), order('2')]), 'prove');
  t.is(next([order('1', { issued }), order('2', { issued })]), 'keep');
  t.is(next([order('1', { failed })]), 'rest');
  t.is(next([order('1', { issued }), order('2', { failed })]), 'rest');
  t.is(next([order('1', { failed })], { after: 1_000 }), 'order');
});

test('a failure of the future, by a clock that was wrong, is no reason to rest for years', (t) => {
  t.is(next([order('1', { failed })], { after: -1_000 }), 'rest', 'clocks of two replicas differ');
  t.is(next([order('1', { failed })], { after: -1_001 }), 'order');
  t.is(next([order('1', { failed: { ...failed, at: 'garbage' } })]), 'order');
});

test('names are the same in any order, and orders have keys and moments of their own', (t) => {
  t.is(digestOf(['b.example.test', 'a.example.test']), wanted);
  t.not(keyName({ id: '1' }), keyName({ id: '2' }));
  t.regex(keyName({ id: 'https://ca.example.test/order/1' }), /^[0-9a-f]{16}\.key$/);
  for (let id = 0; id < 100; id += 1) t.true(spreadOf({ id: `${id}` }) >= 0 && spreadOf({ id: `${id}` }) < 1);
});

test('an id that a person has named is an order for no known names; what has no URL is none', (t) => {
  t.deepEqual(ordersOf([{ id: 'https://ca.example.test/order/1' }, { name: 'x' }]), [
    { id: 'https://ca.example.test/order/1', names: '' },
  ]);
});
