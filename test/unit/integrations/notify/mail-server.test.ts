import type { Socket } from 'node:net';
import test from 'ava';
import { mailErrorOf, mailServerAt } from '../../../../integrations/notify/mail-server.ts';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { aHostileServer, withoutEnd } from '../fixtures/a-hostile-server.ts';

const answer = (responseCode: number | undefined, command: string): Error =>
  Object.assign(new Error('Message failed:\r\n no'), { responseCode, command });

const kindOf = (error: unknown): string => {
  if (error instanceof DefiniteError) return 'refused';
  return error instanceof ThrottledError ? 'later' : 'unknown';
};

for (const { title, error, isSent, kind } of [
  { title: 'no connection', error: answer(undefined, 'CONN'), isSent: false, kind: 'refused' },
  { title: 'a recipient that is refused', error: answer(550, 'RCPT TO'), isSent: false, kind: 'refused' },
  { title: 'a recipient for later', error: answer(450, 'RCPT TO'), isSent: false, kind: 'later' },
  { title: 'a mail that is refused', error: answer(554, 'DATA'), isSent: true, kind: 'refused' },
  { title: 'a mail for later', error: answer(452, 'DATA'), isSent: true, kind: 'later' },
  {
    title: 'a connection that breaks while the mail is sent',
    error: answer(undefined, 'CONN'),
    isSent: true,
    kind: 'unknown',
  },
  { title: 'a farewell while the mail is sent', error: answer(421, 'CONN'), isSent: true, kind: 'unknown' },
  { title: 'an answer that is none', error: answer(250, 'DATA'), isSent: true, kind: 'unknown' },
  { title: 'a signal while the mail is sent', error: new Error('the lease is over'), isSent: true, kind: 'unknown' },
])
  test(`${title}: ${kind}`, (t) => {
    const made = mailErrorOf(error, isSent);
    t.is(kindOf(made), kind);
    t.regex(made.message, /^SMTP: [^\r\n]+$/);
  });

/** Behaviour of a server on a connection; `wait` lets the deadline pass. */
type Speech = (socket: Socket, wait: () => void) => void;

/** Speaks as a server does, but for its answer to one command. */
const but = (command: RegExp, answer: Speech) => (socket: Socket, wait: () => void) => {
  let text = '';
  socket.write('220 hello\r\n');
  socket.on('data', (chunk) => {
    text += chunk;
    if (!text.endsWith('\r\n')) return;
    const said = text;
    text = '';
    if (command.test(said)) return answer(socket, wait);
    socket.write(said.startsWith('DATA') ? '354 continue\r\n' : '250 well\r\n');
  });
};

const lines = '250-more\r\n'.repeat(5_000);

for (const { title, serve, kind } of [
  { title: 'says nothing', serve: (_: Socket, wait: () => void) => wait(), kind: 'refused' },
  {
    title: 'greets without an end',
    serve: (socket: Socket) => withoutEnd(socket, '220-hello\r\n'.repeat(5_000)),
    kind: 'refused',
  },
  {
    title: 'sends a line without an end',
    serve: (socket: Socket) => withoutEnd(socket, 'x'.repeat(65_536)),
    kind: 'refused',
  },
  {
    title: 'sends bytes of another protocol',
    serve: (socket: Socket) => void socket.write(Buffer.from([22, 3, 1, 0, 255, 13, 10, 0, 27])),
    kind: 'refused',
  },
  { title: 'lists what it can without an end', serve: but(/^EHLO/, (one) => withoutEnd(one, lines)), kind: 'refused' },
  { title: 'is always busy', serve: but(/^MAIL/, (one) => void one.write('451 later\r\n')), kind: 'later' },
  { title: 'closes in the middle', serve: but(/^RCPT/, (one) => void one.destroy()), kind: 'refused' },
  {
    title: 'answers a mail without an end',
    serve: but(/\r\n\.\r\n$/, (one) => withoutEnd(one, lines)),
    kind: 'unknown',
  },
  { title: 'does not answer a mail', serve: but(/\r\n\.\r\n$/, (_, wait) => wait()), kind: 'unknown' },
])
  test(`a server that ${title}: ${kind}, in bounded time and memory, and its connection ends`, async (t) => {
    const clock = createManualClock();
    const wait = () => void clock.advance(60_000);
    const { port, ended, wasCutOff } = await aHostileServer(t, (socket) => serve(socket, wait));
    const server = { host: '127.0.0.1', port, security: 'none' } as const;
    const { send } = mailServerAt({ server, deadline: 60_000, clock });
    const mail = { from: { name: 'a', address: 'a@example.com' }, to: ['b@example.com'], subject: 's', text: 't' };
    const error = await t.throwsAsync(send({ ...mail, messageId: '<a@example.com>' }, new AbortController().signal));
    t.is(kindOf(error), kind);
    t.regex(error.message, /^SMTP: [^\r\n]{0,300}$/);
    await ended();
    t.true(wasCutOff());
  });
