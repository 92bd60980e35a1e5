import test from 'ava';
import fc from 'fast-check';
import type { CallOutcome } from '../../../../../sdk/provider/limits/circuit-breaker.ts';
import {
  FairRateLimiter,
  type Permit,
  type RateLimitOptions,
} from '../../../../../sdk/provider/limits/fair-rate-limiter.ts';

/** Client that wants that many calls, one after the other, from some time on. */
interface Customer {
  readonly group: string;
  readonly from: number;
  readonly calls: number;
  /** Its delay in coming back each time, ms. */
  readonly tardy: number;
  /** Duration of a call in ms from its permit until it is sent, from then on. */
  readonly delay: number;
  readonly length: number;
}

interface Call {
  readonly group: string;
  readonly customer: number;
  readonly at: number;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: (now: number) => void;
}

/** Serves customers, each coming back when told to. @returns the calls in order, and the number of requests */
function serve(
  options: RateLimitOptions,
  customers: readonly Customer[],
): { readonly calls: readonly Call[]; asked: number } {
  const limiter = new FairRateLimiter(options, 0);
  const calls: Call[] = [];
  const agenda: Event[] = [];
  let [order, asked] = [0, 0];
  const later = (at: number, run: Event['run']): void => void agenda.push({ at, order: order++, run });
  const come = (customer: number, left: number, now: number): void => {
    const { group, tardy, delay, length } = customers[customer]!;
    asked += 1;
    const answer = limiter.reserve({ key: `${customer}`, group }, now);
    if ('wait' in answer) {
      later(now + answer.wait + tardy, (at) => come(customer, left, at));
      return;
    }
    const goOut = (permit: Permit) => (at: number) => {
      permit.begin(at);
      calls.push({ group, customer, at });
      later(at + length, (end) => {
        permit.end({ kind: 'answered' }, end);
        permit.release(end);
        if (left > 1) come(customer, left - 1, end);
      });
    };
    later(now + delay, goOut(answer.permit));
  };
  for (const [customer, { from, calls: left }] of customers.entries()) later(from, (at) => come(customer, left, at));
  while (agenda.length > 0 && asked < 50_000) {
    agenda.sort((a, b) => b.at - a.at || b.order - a.order);
    const { at, run } = agenda.pop()!;
    run(at);
  }
  return { calls, asked };
}

const aCustomer = fc.record({
  group: fc.constantFrom('a', 'b', 'c'),
  from: fc.nat(3_000),
  calls: fc.integer({ min: 1, max: 6 }),
  tardy: fc.constantFrom(0, 0, 0, 7, 400, 30_000),
  delay: fc.constantFrom(0, 0, 5, 300),
  length: fc.constantFrom(0, 10, 900),
});
const aLine = fc.record({ rate: fc.constantFrom(0.5, 1, 3, 20), burst: fc.integer({ min: 1, max: 5 }) });

test('never more than burst and rate in any span of time; all waiters are served, with few questions', (t) => {
  fc.assert(
    fc.property(aLine, fc.array(aCustomer, { minLength: 1, maxLength: 14 }), (options, customers) => {
      const { calls, asked } = serve(options, customers);
      const wanted = customers.reduce((sum, customer) => sum + customer.calls, 0);
      t.is(calls.length, wanted, 'none starves');
      t.true(asked <= wanted * 40, `${asked} questions for ${wanted} calls`);
      for (let first = 0; first < calls.length; first += 1)
        for (let last = first; last < calls.length; last += 1) {
          const span = calls[last]!.at - calls[first]!.at;
          const most = options.burst + (span * options.rate) / 1000 + 1e-3;
          if (last - first + 1 > most) t.fail(`${last - first + 1} calls in ${span} ms`);
        }
    }),
    { numRuns: 300 },
  );
});

test('of groups that wait, none gets more than one turn more than another, however many of it there are', (t) => {
  const counts = fc.array(fc.integer({ min: 3, max: 30 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(aLine, counts, fc.array(fc.nat(4), { maxLength: 60 }), (options, sizes, lots) => {
      const customers = sizes.flatMap((size, group) =>
        Array.from(
          { length: size },
          (): Customer => ({
            group: String(group),
            from: 0,
            calls: 1,
            tardy: 0,
            delay: 0,
            length: 0,
          }),
        ),
      );
      for (const [index, lot] of lots.entries()) {
        const [one, other] = [index % customers.length, (index * 7 + lot) % customers.length];
        [customers[one], customers[other]] = [customers[other]!, customers[one]!];
      }
      const { calls } = serve(options, customers);
      const inLine = calls.filter(({ at }) => at > 0);
      for (const one of sizes.keys())
        for (const other of sizes.keys()) if (one < other) t.true(unfairness(inLine, String(one), String(other)) <= 1);
    }),
    { numRuns: 200 },
  );
});

/** Largest lead of one group over another in any interval in which both waited. */
function unfairness(calls: readonly Call[], one: string, other: string): number {
  const lastOf = (group: string) => calls.findLastIndex((call) => call.group === group);
  const together = calls.slice(0, Math.min(lastOf(one), lastOf(other)) + 1);
  let lead = 0;
  const leads = together.map(({ group }) => {
    lead += group === one ? 1 : group === other ? -1 : 0;
    return lead;
  });
  return Math.max(0, ...leads) - Math.min(0, ...leads);
}

const one: RateLimitOptions = { rate: 1, burst: 1, breaker: { failures: 2, pause: 10_000 } };
const turnOf = (limiter: FairRateLimiter, key: string, now: number): Permit => {
  const answer = limiter.reserve({ key, group: 'a' }, now);
  if ('wait' in answer) throw new Error(`${key} has to wait for ${answer.wait} ms`);
  return answer.permit;
};
const waitOf = (limiter: FairRateLimiter, key: string, now: number): number => {
  const answer = limiter.reserve({ key, group: 'a' }, now);
  return 'wait' in answer ? answer.wait : 0;
};
/** Makes a call now that takes no time. */
const call = (
  limiter: FairRateLimiter,
  key: string,
  { now, ...outcome }: { readonly now: number } & CallOutcome,
): void => {
  const permit = turnOf(limiter, key, now);
  permit.begin(now);
  permit.end(outcome, now);
  permit.release(now);
};

test('a caller that has to wait is reported when to come, keeps its place however often it asks, and is then served', (t) => {
  const limiter = new FairRateLimiter(one, 0);
  call(limiter, 'first', { now: 0, kind: 'answered' });
  t.deepEqual([waitOf(limiter, 'x', 0), waitOf(limiter, 'y', 0), waitOf(limiter, 'x', 400)], [1_000, 2_000, 600]);
  t.is(waitOf(limiter, 'y', 1_000), 1_000, 'not before x, though there is a token');
  t.is(waitOf(limiter, 'x', 1_000), 0);
});

test('a turn that was not used goes to the next, and costs nothing', (t) => {
  const limiter = new FairRateLimiter(one, 0);
  const permit = turnOf(limiter, 'x', 0);
  t.is(waitOf(limiter, 'y', 0), 1_000);
  permit.release(0);
  t.is(waitOf(limiter, 'y', 0), 0);
});

test('a caller that does not come in its time is not waited for, but is next as soon as it comes', (t) => {
  const limiter = new FairRateLimiter(one, 0);
  call(limiter, 'first', { now: 0, kind: 'answered' });
  for (const key of ['late', 'x', 'y']) waitOf(limiter, key, 0);
  t.is(waitOf(limiter, 'x', 3_000), 1_000, 'late is late by two seconds');
  call(limiter, 'x', { now: 7_000, kind: 'answered' });
  t.is(waitOf(limiter, 'y', 7_000), 1_000);
  t.is(waitOf(limiter, 'late', 7_500), 500);
  t.is(waitOf(limiter, 'y', 8_000), 1_000, 'late was before');
});

test('patience that is asked for stops all of the line; afterwards it starts with one call', (t) => {
  const limiter = new FairRateLimiter({ rate: 2, burst: 4 }, 0);
  call(limiter, 'x', { now: 0, kind: 'throttled', retryAfter: 60_000 });
  t.deepEqual([waitOf(limiter, 'y', 0), waitOf(limiter, 'z', 0)], [60_000, 60_500]);
  t.is(waitOf(limiter, 'y', 60_000), 0);
  t.is(waitOf(limiter, 'z', 60_000), 500);
});

test('an open breaker lets one go after the pause, and all others when that has answered', (t) => {
  const limiter = new FairRateLimiter({ ...one, rate: 10, burst: 10 }, 0);
  for (const key of ['x', 'y']) call(limiter, key, { now: 0, kind: 'failed' });
  t.is(limiter.state(0), 'open');
  t.deepEqual([waitOf(limiter, 'x', 0), waitOf(limiter, 'y', 0)], [10_000, 10_100]);
  const probe = turnOf(limiter, 'x', 20_000);
  t.is(limiter.state(20_000), 'half-open');
  t.is(waitOf(limiter, 'y', 20_000), 5_000, 'though there are tokens');
  probe.begin(20_000);
  probe.end({ kind: 'answered' }, 20_100);
  t.is(limiter.state(20_100), 'closed');
  t.is(waitOf(limiter, 'y', 20_100), 0);
});

test('a probe of which nothing is heard has failed, one that never went out has not', (t) => {
  const limiter = new FairRateLimiter({ ...one, rate: 10 }, 0);
  for (const now of [0, 100]) call(limiter, 'x', { now: now, kind: 'failed' });
  turnOf(limiter, 'x', 11_000).release(11_000);
  t.is(limiter.state(11_000), 'half-open');
  const silent = turnOf(limiter, 'x', 11_000);
  silent.begin(11_000);
  silent.release(12_000);
  t.is(limiter.state(12_000), 'open');
});

test('it remembers nothing once none waits, all tokens are there and the third party is well', (t) => {
  const limiter = new FairRateLimiter(one, 0);
  t.true(limiter.isIdle(0));
  call(limiter, 'x', { now: 0, kind: 'failed' });
  t.false(limiter.isIdle(900));
  t.false(limiter.isIdle(1_000), 'it has failed');
  call(limiter, 'x', { now: 1_000, kind: 'answered' });
  waitOf(limiter, 'y', 1_000);
  t.false(limiter.isIdle(2_000), 'y waits');
  t.true(limiter.isIdle(700_000), 'y has not come for ten minutes');
});
