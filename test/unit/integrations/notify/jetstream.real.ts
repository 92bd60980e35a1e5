import test from 'ava';
import type { JetStream } from '../../../../integrations/notify/nats.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';
import { startRealStream } from './fixtures/a-real-stream.ts';
import { createMemoryStream } from './fixtures/a-stream.ts';
import { password } from './fixtures/nats-subject.ts';

const { signal } = new AbortController();
const subject = 'environments.default.shop.came';

/** Sends messages, and returns their sequences. */
async function told({ publish }: JetStream): Promise<readonly number[]> {
  const sequences: number[] = [];
  for (const id of ['a', 'b', 'a', 'b', 'c'])
    sequences.push((await publish({ subject, id, payload: `{"id":"${id}"}` }, signal)).sequence);
  return sequences;
}

test('the stream in memory answers as the real one: an id is stored once', async (t) => {
  const stream = await startRealStream();
  t.teardown(() => stream.close());
  const memory = createMemoryStream(systemClock);
  t.deepEqual(await told(memory), await told(stream.operations));
  t.deepEqual(memory.messages, await stream.messages());
});

test('what the server refuses was not stored', async (t) => {
  const stream = await startRealStream(60_000);
  t.teardown(() => stream.close());
  const refused = async (operations: JetStream, message: RegExp, to = subject): Promise<void> => {
    const sent = operations.publish({ subject: to, id: 'a', payload: '{}' }, signal);
    await t.throwsAsync(sent, { instanceOf: DefiniteError, message });
  };
  const { operationsWith } = stream;
  await refused(stream.operations, /Permissions Violation.*give the user the rights/, 'others.came');
  await refused(
    operationsWith({ duplicateWindow: 60_001 }),
    /remembers ids for 60000 ms: set its duplicate_window to 60001/,
  );
  await refused(operationsWith({ stream: 'OTHER' }), /nothing was sent to the stream OTHER/);
  await refused(
    operationsWith({ credential: { user: 'sequencer', password: `${password}x` } }),
    /no connection to .*Authorization/,
  );
  await refused(operationsWith({ credential: {} }), /no connection to/);
  await refused(operationsWith({ servers: ['127.0.0.1:1'] }), /no connection to 127\.0\.0\.1:1: /);
  t.deepEqual(await stream.messages(), []);
});

test('a server that stands still is given up, and what it stores later has the id of the next attempt', async (t) => {
  const stream = await startRealStream();
  t.teardown(() => stream.close());
  const message = { subject, id: 'a', payload: '{}' };
  await stream.nats.pause();
  await t.throwsAsync(stream.operations.publish(message, signal));
  const ending = new AbortController();
  const sent = stream.operationsWith({ deadline: 600_000 }).publish(message, ending.signal);
  ending.abort(new Error('the lease is over'));
  await t.throwsAsync(sent, { message: /the lease is over/ });
  stream.nats.resume();
  await stream.operations.publish(message, signal);
  t.is((await stream.messages()).length, 1);
});

test('a message that is stored without an answer leaves it unknown, and its id is stored once', async (t) => {
  const stream = await startRealStream(60_000, true);
  t.teardown(() => stream.close());
  for (const _ of [1, 2]) {
    const error = await t.throwsAsync(stream.operations.publish({ subject, id: 'a', payload: '{}' }, signal));
    t.false(error instanceof DefiniteError);
  }
  t.is((await stream.messages()).length, 1);
});
