import test from 'ava';
import { createClient, Event, systemClock } from '../../../../sdk/index.ts';
import { followEvents } from '../../../../sequencer/page/event-follower.ts';
import { createCluster } from '../../../cluster/index.ts';
import { anEvent } from './a-page.ts';

test('the latest fifty events about a workspace are kept, without secrets; others are left out', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const write = (number: number, about: string) => anEvent(client, about, number);
  let changed = Promise.withResolvers<void>();
  const followed = followEvents('default/shop', {
    client,
    clock: systemClock,
    redact: (text) => text.replaceAll('hunter2', '***'),
    onChange: () => changed.resolve(),
  });
  const until = async (count: number, newest: string) => {
    while (followed.latest().length !== count || followed.latest()[0]?.message !== newest) {
      await changed.promise;
      changed = Promise.withResolvers<void>();
    }
  };
  await write(0, 'other');
  for (let number = 0; number < 60; number += 1) await write(number, 'shop');
  await until(50, '*** 59');
  t.is(followed.latest().at(-1)?.message, '*** 10');
  t.like(followed.latest()[0], { type: 'Warning', reason: 'Told', count: 1, from: 'sequencer' });
  await client.delete(Event, { name: 'shop.59', namespace: 'default' });
  await until(49, '*** 58');
  cluster.faults.watches('events').drop();
  await write(61, 'shop');
  await until(50, '*** 61');
  const { metadata, ...event } = await client.get(Event, { name: 'shop.58', namespace: 'default' });
  const message = `${'x'.repeat(1_020)}hunter2`;
  await client.create(Event, { ...event, metadata: { namespace: 'default', name: 'long' }, message });
  await changed.promise;
  while (!followed.latest().some((one) => one.message.startsWith('xx')))
    await new Promise((resolve) => setImmediate(resolve));
  t.is(followed.latest().find((one) => one.message.startsWith('xx'))?.message, `${'x'.repeat(1_020)}***`);
  followed[Symbol.dispose]();
  await client.close();
  await cluster.close();
});
