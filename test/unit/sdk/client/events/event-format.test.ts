import test from 'ava';
import {
  coreFormat,
  eventNameOf,
  eventNamespaceOf,
  eventsFormat,
  type Occurrence,
} from '../../../../../sdk/client/events/event-format.ts';

const about = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', name: 'p', uid: 'u', resourceVersion: '7', labels: { not: 'copied' } },
};
const regarding = { apiVersion: 'v1', kind: 'Pod', namespace: 'a', name: 'p', uid: 'u', resourceVersion: '7' };
const first = Date.UTC(2026, 0, 1, 10, 0, 0, 123);
const once: Occurrence = {
  about,
  type: 'Normal',
  reason: 'Made',
  message: 'made it',
  first,
  last: first,
  count: 1,
  name: 'p.1',
};
const thrice: Occurrence = { ...once, last: first + 60_000, count: 3 };
const reporter = { component: 'sequencer', instance: 'pod-1' };

test('an event of events.k8s.io/v1 has what servers insist on', (t) => {
  t.is(eventsFormat.kind.group, 'events.k8s.io');
  t.deepEqual(eventsFormat.create(once, reporter) as object, {
    metadata: { namespace: 'a', name: 'p.1' },
    eventTime: '2026-01-01T10:00:00.123000Z',
    reportingController: 'sequencer',
    reportingInstance: 'pod-1',
    action: 'Made',
    reason: 'Made',
    regarding,
    note: 'made it',
    type: 'Normal',
  });
});

test('a repeated one is a series, from the start or later', (t) => {
  const series = { count: 3, lastObservedTime: '2026-01-01T10:01:00.123000Z' };
  t.like(eventsFormat.create(thrice, reporter), { series });
  t.deepEqual(eventsFormat.repeat(thrice), { series });
});

test('a core event counts', (t) => {
  t.is(coreFormat.kind.group, '');
  t.like(coreFormat.create(once, reporter), {
    involvedObject: regarding,
    message: 'made it',
    source: { component: 'sequencer' },
    firstTimestamp: '2026-01-01T10:00:00Z',
    count: 1,
  });
  t.deepEqual(coreFormat.repeat(thrice), { count: 3, lastTimestamp: '2026-01-01T10:01:00Z' });
});

test('a message is cut to the bytes a server takes, between two characters', (t) => {
  const noteOf = (message: string) =>
    (eventsFormat.create({ ...once, message }, reporter) as { note?: string }).note ?? '';
  t.is(noteOf('x'.repeat(1024)).length, 1024);
  t.is(noteOf('x'.repeat(1025)), `${'x'.repeat(1021)}...`);
  const umlauts = noteOf('ü'.repeat(1000));
  t.true(Buffer.byteLength(umlauts) <= 1024);
  t.is(umlauts, `${'ü'.repeat(510)}...`);
});

test('events about cluster-scoped objects live in default', (t) => {
  t.is(eventNamespaceOf(about), 'a');
  t.is(eventNamespaceOf({ ...about, metadata: { name: 'n' } }), 'default');
});

test('the name of an event fits, however long the object’s is', (t) => {
  t.is(eventNameOf(about, '0123456789abcdef'), 'p.0123456789abcdef');
  t.is(eventNameOf({ ...about, metadata: { name: 'x'.repeat(253) } }, '0123456789abcdef').length, 253);
  const name = `${'x'.repeat(234)}-.${'x'.repeat(17)}`;
  t.is(eventNameOf({ ...about, metadata: { name } }, '0123456789abcdef'), `${'x'.repeat(234)}.0123456789abcdef`);
});
