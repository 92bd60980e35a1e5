import test from 'ava';
import { EventCorrelator, type Report } from '../../../../../sdk/client/events/event-correlator.ts';

const aboutPod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', name } });
const report = { about: aboutPod('p'), type: 'Normal', reason: 'Made', message: 'made it' } as const;
const at = (monotonic: number) => ({ now: 1_000_000 + monotonic, monotonic, suffix: `s${monotonic}` });
const limits = { burst: 3, refill: 1_000, forgetAfter: 60_000, size: 100 };

test('the same report again counts up', (t) => {
  const correlator = new EventCorrelator(limits);
  const entry = correlator.report(report, at(0));
  t.is(correlator.report(report, at(10)), entry);
  t.like(entry?.occurrence, { count: 2, first: 1_000_000, last: 1_000_010, name: 'p.s0' });
});

test('another object, type, reason or message is another event', (t) => {
  const correlator = new EventCorrelator({ ...limits, burst: 10 });
  const others = [
    { about: aboutPod('q') },
    { about: { ...aboutPod('p'), kind: 'Service' } },
    { type: 'Warning' },
    { reason: 'Other' },
    { message: 'other' },
  ] as const;
  const entries = [report, ...others.map((other) => ({ ...report, ...other }))].map((each) =>
    correlator.report(each, at(0)),
  );
  t.is(new Set(entries).size, 6);
});

test('a report long after the last one is a new event', (t) => {
  const correlator = new EventCorrelator(limits);
  const entry = correlator.report(report, at(0));
  t.is(correlator.report(report, at(59_999)), entry);
  t.not(correlator.report(report, at(119_999)), entry);
});

test('an object that reports too much is held back, others are not, and it recovers', (t) => {
  const correlator = new EventCorrelator(limits);
  const nth = (message: string, monotonic: number) =>
    correlator.report({ ...report, message }, at(monotonic)) !== undefined;
  t.deepEqual(
    ['1', '2', '3', '4'].map((message) => nth(message, 0)),
    [true, true, true, false],
  );
  t.not(correlator.report({ ...report, about: aboutPod('q') }, at(0)), undefined);
  t.not(correlator.report({ ...report, message: '1' }, at(0)), undefined, 'counting up is free');
  t.false(nth('5', 999));
  t.true(nth('5', 1_000));
});

test('what was not seen longest is forgotten first', (t) => {
  const correlator = new EventCorrelator({ ...limits, burst: 10, size: 2 });
  const [one, two, three] = ['1', '2', '3'].map((message) => ({ ...report, message })) as [Report, Report, Report];
  const first = correlator.report(one, at(0));
  correlator.report(two, at(1));
  correlator.report(one, at(2));
  correlator.report(three, at(3));
  t.is(correlator.report(one, at(4)), first);
  t.is(correlator.report(two, at(5))?.occurrence.count, 1);
});

test('of a large object and a long message only what an event says is kept', (t) => {
  const about = { ...aboutPod('p'), spec: { text: 'x'.repeat(1_000_000) } };
  const entry = new EventCorrelator(limits).report({ ...report, about, message: 'y'.repeat(1_000_000) }, at(0));
  t.true(JSON.stringify(entry).length < 2_000);
  t.like(entry?.occurrence.about, { kind: 'Pod', metadata: { namespace: 'a', name: 'p' } });
});
