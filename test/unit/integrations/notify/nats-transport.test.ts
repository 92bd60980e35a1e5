import type { Socket } from 'node:net';
import test from 'ava';
import { jetStreamAt } from '../../../../integrations/notify/jetstream.ts';
import { aHostileServer, withoutEnd } from '../fixtures/a-hostile-server.ts';

const info = `INFO ${JSON.stringify({ server_id: 'x', version: '2.10.0', proto: 1, headers: true, max_payload: 1_048_576 })}\r\n`;

/** Greets as a server does, and says something to the first message. */
const greeted = (speak: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(info);
  socket.once('data', () => {
    socket.write('PONG\r\n');
    speak(socket);
  });
};

const speeches: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => {},
  'sends a line without an end': (socket) => withoutEnd(socket, 'x'.repeat(65_536)),
  'sends an INFO without an end': (socket) => {
    socket.write('INFO {"a":"');
    withoutEnd(socket, 'x'.repeat(65_536));
  },
  'sends an INFO that is not JSON': (socket) => void socket.write('INFO {nope\r\n'),
  'sends an INFO of nothing': (socket) => void socket.write('INFO null\r\n'),
  'sends bytes of another protocol': (socket) => void socket.write(Buffer.from([22, 3, 1, 0, 255, 13, 10, 0, 27])),
  'pings without an end': greeted((socket) => withoutEnd(socket, 'PING\r\n'.repeat(1_000))),
  'sends INFO without an end': greeted((socket) => withoutEnd(socket, info.repeat(200))),
  'sends unrequested messages': greeted((socket) => withoutEnd(socket, 'MSG a 1 5\r\nhello\r\n'.repeat(1_000))),
  'sends errors without an end': greeted((socket) => withoutEnd(socket, '-ERR a\r\n'.repeat(1_000))),
  'sends two thousand errors and then nothing': greeted((socket) => void socket.write('-ERR a\r\n'.repeat(2_000))),
  'sends a long INFO and then nothing': greeted(
    (socket) => void socket.write(`INFO {"a":"${'x'.repeat(400_000)}"}\r\n`),
  ),
  'closes in the middle': greeted((socket) => void socket.destroy()),
};

/** Those that only the deadline ends. */
const waited: ReadonlySet<string> = new Set(['says nothing', 'sends bytes of another protocol']);

for (const [title, serve] of Object.entries(speeches))
  test(`a server that ${title} costs an error in bounded time and memory, and its connection ends`, async (t) => {
    const { port, ended, wasCutOff } = await aHostileServer(t, serve);
    const { publish } = jetStreamAt({
      ...{ servers: [`127.0.0.1:${port}`], credential: {}, tls: undefined },
      ...{ stream: 'S', duplicateWindow: 1_000, deadline: waited.has(title) ? 500 : 60_000 },
    });
    const { signal } = new AbortController();
    const error = await t.throwsAsync(publish({ subject: 'a', id: 'i', payload: '{}' }, signal));
    t.regex(error.message, /^NATS: /);
    t.true(error.message.length < 1_000);
    await ended();
    t.true(wasCutOff());
  });
