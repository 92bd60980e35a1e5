import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { inClusterConnection, isPod } from '../../../../../sdk/client/config/in-cluster.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aFolder } from '../../../a-folder.ts';
import { usual } from '../usual-options.ts';

const files = { token: 'one\n', 'ca.crt': 'CA', namespace: 'team' };
const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };

test('a pod finds the server, its token, its CA and its namespace', async (t) => {
  const folder = await aFolder(t, files);
  const connection = await inClusterConnection({ env, folder, clock: createManualClock() });
  t.is(connection.server, 'https://10.0.0.1:6443');
  t.is(connection.namespace, 'team');
  t.deepEqual(await connection.credentials(usual), { headers: { authorization: 'Bearer one' }, tls: { ca: 'CA' } });
});

test('a rotated token and CA are taken up within a minute', async (t) => {
  const folder = await aFolder(t, files);
  const clock = createManualClock();
  const { credentials } = await inClusterConnection({ env, folder, clock });
  await Promise.all([writeFile(join(folder, 'token'), 'two'), writeFile(join(folder, 'ca.crt'), 'NEW')]);
  await clock.advance(60_000);
  t.deepEqual(await credentials(usual), { headers: { authorization: 'Bearer two' }, tls: { ca: 'NEW' } });
});

test('an IPv6 address is put in brackets, the port defaults to 443', async (t) => {
  const folder = await aFolder(t, files);
  const clock = createManualClock();
  const { server } = await inClusterConnection({ env: { KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder, clock });
  t.is(server, 'https://[fd00::1]:443');
});

test('outside of a cluster, and without a service account, the error says so', async (t) => {
  const folder = await aFolder(t, files);
  const clock = createManualClock();
  const outside = await t.throwsAsync(inClusterConnection({ env: {}, folder, clock }), {
    instanceOf: UserError,
    message: /not in a cluster/,
  });
  t.is(outside.code, 'E#1008');
  await rm(join(folder, 'token'));
  const bare = await t.throwsAsync(inClusterConnection({ env, folder, clock }), {
    message: /without a service account/,
  });
  t.true(bare.message.includes(join(folder, 'token')));
});

test('a process is in a pod when it has both the server’s address and a service account', async (t) => {
  const folder = await aFolder(t, files);
  t.true(await isPod(env, folder));
  t.false(await isPod({}, folder));
  t.false(await isPod(env, join(folder, 'nowhere')));
});
