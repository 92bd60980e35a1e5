import test from 'ava';
import { type NatsMessagesOptions, natsMessages, type StreamMessage } from '../../../../integrations/notify/nats.ts';
import { conditionOf, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

/** Lets a workspace come and go. @returns its messages, and what its condition says between */
async function told(options: Partial<NatsMessagesOptions>, name = 'shop') {
  const stage = await aTargetCluster();
  const messages: StreamMessage[] = [];
  const operations = {
    async publish(message: StreamMessage) {
      messages.push(message);
      return { sequence: messages.length };
    },
  };
  const stream = 'ENVIRONMENTS';
  const integration = natsMessages({ servers: ['nats'], stream, workspaces: 'all', operations, ...options });
  const actor = stage.actor([integration]);
  const { metadata } = await stage.create({}, name);
  await actor.walk(name).catch(() => undefined);
  const key = { namespace: 'default', name };
  const { status, reason } = conditionOf(await stage.client.get(Workspace, key), 'AnnouncedByNats');
  await stage.delete(name);
  await actor.walk(name).catch(() => undefined);
  return { messages, said: `${status}: ${reason}`, uid: metadata.uid };
}

test('a message names the workspace, and each event has its subject and its id', async (t) => {
  const { messages, said, uid } = await told({});
  t.is(said, 'Completed: announced that it came');
  t.deepEqual(
    messages.map(({ subject, payload }) => [subject, JSON.parse(payload)]),
    ['came', 'went'].map((event) => [
      `environments.default.shop.${event}`,
      { event, namespace: 'default', name: 'shop', uid },
    ]),
  );
  t.is(new Set(messages.map(({ id }) => id)).size, 2);
});

test('a dot in the name of a workspace makes no other subject', async (t) => {
  const { messages } = await told({ prefix: 'acme.previews' }, 'shop.default.came');
  t.is(messages[0]?.subject, 'acme.previews.default.shop_default_came.came');
});

for (const [message, expected] of [
  [() => 'text', /^Error: option message of natsMessages must return an object, not string$/],
  [() => ({ big: 1n }), /^Error: option message of natsMessages must return an object that is JSON$/],
  [() => ({ text: 'é'.repeat(40_000) }), /must return an object of at most 65536 bytes of JSON, not 80011$/],
] as const)
  test(`a message is checked before it is sent: ${expected.source}`, async (t) => {
    const { messages, said } = await told({ message: message as never });
    t.deepEqual(messages, []);
    t.regex(said, expected);
  });
