import test from 'ava';
import { freePorts } from '../../../../system/real/free-ports.ts';
import { until } from '../../../../system/real/until.ts';
import { runToEnd, start } from '../a-terminal.ts';

test('it says that it is well until a signal', async (t) => {
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const command = start(['etcd', '--', `--listen-client-urls=${url}`, '--data-dir=/tmp']);
  const response = await until(() => fetch(`${url}/health`), { message: String });
  t.is(response.status, 200);
  t.deepEqual(await response.json(), { health: 'true', reason: '' });
  t.is((await fetch(`${url}/v3/kv/range`)).status, 404);
  command.process.kill('SIGTERM');
  t.is((await command.ended).code, 0);
});

test('an address that is none, or that is taken, is reported', async (t) => {
  const { stderr } = await runToEnd(['etcd', '--', '--listen-client-urls=unix:a']);
  t.regex(stderr, /^error E#2030: etcd: --listen-client-urls needs http:\/\/ADDRESS:PORT; found "unix:a"/);
});
