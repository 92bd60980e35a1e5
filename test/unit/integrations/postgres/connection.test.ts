import { createServer, type Server, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { connectionsTo } from '../../../../integrations/postgres/connection.ts';
import { callErrorOf } from '../../../../integrations/postgres/sql-error.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

import { createAuthority } from '../../../cluster/index.ts';
import { aHostilePostgres, speeches } from './a-hostile-postgres.ts';

const credential = { host: '127.0.0.1', user: 'sequencer', password: 'quite-secret' };
const nothing = async (): Promise<void> => {};

/** A TCP server that does this with each connection. @returns its port */
async function aServer(t: ExecutionContext, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

test('a server to which no connection can be made was asked nothing', async (t) => {
  const port = await aServer(t, (socket) => socket.destroy());
  const { signal } = new AbortController();
  for (const one of [1, port]) {
    const error = await t.throwsAsync(connectionsTo({ ...credential, port: one }, 5_000)({ signal }, nothing), {
      instanceOf: DefiniteError,
      message: new RegExp(`^PostgreSQL at 127\\.0\\.0\\.1:${one} does not answer: `),
    });
    t.false(String(error.cause).includes(credential.password));
  }
});

test('a server that says nothing is given up after the deadline', async (t) => {
  const port = await aServer(t, () => {});
  const { signal } = new AbortController();
  await t.throwsAsync(connectionsTo({ ...credential, port }, 20)({ signal }, nothing), { instanceOf: DefiniteError });
});

test('a signal that aborts ends a connection that is being made, with its reason', async (t) => {
  const over = new AbortController();
  const port = await aServer(t, () => over.abort(new Error('the lease is over')));
  const connecting = connectionsTo({ ...credential, port }, 60_000)({ signal: over.signal }, nothing);
  await t.throwsAsync(connecting, { message: 'the lease is over' });
  await t.throwsAsync(connectionsTo({ ...credential, port }, 60_000)({ signal: over.signal }, nothing), {
    message: 'the lease is over',
  });
});

test('what the environment says of a server is not heard', async (t) => {
  const said: Buffer[] = [];
  const port = await aServer(t, (socket) =>
    socket.on('data', (data) => {
      said.push(data);
      socket.destroy();
    }),
  );
  process.env.PGUSER = 'somebody';
  process.env.PGDATABASE = 'elsewhere';
  t.teardown(() => {
    delete process.env.PGUSER;
    delete process.env.PGDATABASE;
  });
  const { signal } = new AbortController();
  await t.throwsAsync(connectionsTo({ ...credential, port }, 5_000)({ signal }, nothing));
  const startup = Buffer.concat(said).toString();
  for (const part of ['user\0sequencer', 'database\0postgres', '-c search_path=pg_catalog'])
    t.true(startup.includes(part), startup);
});

const authority = createAuthority(Date.now());

for (const [title, speech] of Object.entries(speeches))
  for (const isSecure of [false, true])
    test(`a server that answers ${title}${isSecure ? ' over TLS' : ''} costs an error in bounded time and memory, and its connection ends`, async (t) => {
      const { port, ended, wasCutOff } = await aHostilePostgres(
        t,
        speech,
        isSecure ? authority.issue(['127.0.0.1']) : undefined,
      );
      const { signal } = new AbortController();
      const ssl = isSecure && { ca: authority.certificate };
      const asked = connectionsTo({ ...credential, port, ssl }, speech.isWaitedFor ? 500 : 60_000)(
        { signal },
        ({ query }) => query('SELECT 1'),
      );
      const error = callErrorOf(await t.throwsAsync(asked)) as Error;
      t.regex(error.message, /^PostgreSQL /);
      t.true(error.message.length < 1_000);
      t.true(wasCutOff());
      await ended();
    });
