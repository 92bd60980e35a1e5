import test from 'ava';
import { ConfigMap, Event } from '../../../../../sdk/api/kinds.ts';
import { eventsOf } from '../../../../../sdk/operator/engine/event-recorder.ts';
import { aConfigMap, theServer } from '../controlled.ts';

test('events of runs are reported in the name of the controller, and written before it has ended', async (t) => {
  const { client, clock, namespace, key } = await theServer();
  const about = await client.create(ConfigMap, { metadata: key('a') });
  const events = eventsOf('maps', { client, clock });
  events.event(about, 'Warning', 'Odd', 'it looks odd');
  await events.close();
  const { items } = await client.list(Event, { namespace });
  t.is(items.length, 1);
  t.like(items[0], { reason: 'Odd', reportingComponent: 'maps' });
});

test('a sink of the caller is used and left open', async (t) => {
  const { client } = await theServer();
  const reported: unknown[] = [];
  const sink = { event: (...report: readonly unknown[]) => void reported.push(report[2]), close: () => t.fail() };
  const events = eventsOf('maps', { client, events: sink });
  events.event(aConfigMap('a'), 'Normal', 'Fine', 'all is well');
  await events.close();
  t.deepEqual(reported, ['Fine']);
});
