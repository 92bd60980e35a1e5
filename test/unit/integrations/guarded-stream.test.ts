import { once } from 'node:events';
import { Socket } from 'node:net';
import test from 'ava';
import { guardedStream } from '../../../integrations/guarded-stream.ts';

/** Delivers what a server has sent. */
const deliver = (socket: Socket, text: string): void => void socket.emit('data', Buffer.from(text));

test('what is received is handed on, up to the bound', async (t) => {
  const socket = guardedStream(new Socket(), { maxBytes: 8 });
  const heard: string[] = [];
  socket.on('data', (chunk) => heard.push(String(chunk)));
  const failed = once(socket, 'error');
  for (const text of ['1234', '5678', '9', 'after the end']) deliver(socket, text);
  t.deepEqual(heard, ['1234', '5678']);
  t.regex(((await failed) as [Error])[0].message, /the server has sent more than 8 bytes/);
  t.true(socket.destroyed);
});

test('lines are handed on, up to their bound, however they are split', async (t) => {
  const socket = guardedStream(new Socket(), { maxLines: 3 });
  const heard: string[] = [];
  socket.on('data', (chunk) => heard.push(String(chunk)));
  const failed = once(socket, 'error');
  for (const text of ['a\nb', '\nc', '\n\n', 'd']) deliver(socket, text);
  t.deepEqual(heard, ['a\nb', '\nc']);
  t.regex(((await failed) as [Error])[0].message, /the server has sent more than 3 lines/);
  t.true(socket.destroyed);
});

test('a listener that cannot read it ends the stream, not the process', async (t) => {
  const socket = guardedStream(new Socket());
  const cause = new RangeError('the value of "offset" is out of range');
  socket.on('data', () => {
    throw cause;
  });
  const failed = once(socket, 'error');
  deliver(socket, 'x');
  const [error] = (await failed) as [Error];
  t.is(error.message, 'what the server sends cannot be read: the value of "offset" is out of range');
  t.is(error.cause, cause);
});
