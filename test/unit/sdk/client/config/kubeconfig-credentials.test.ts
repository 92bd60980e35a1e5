import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { ClusterEntry, UserEntry } from '../../../../../sdk/client/config/kubeconfig.ts';
import {
  impersonationOf,
  kubeconfigCredentials,
  tlsOf,
} from '../../../../../sdk/client/config/kubeconfig-credentials.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aFolder } from '../../../a-folder.ts';
import { renewed, usual } from '../usual-options.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const credentialsOf = (user: UserEntry, cluster: ClusterEntry = {}, clock = createManualClock()) =>
  kubeconfigCredentials(
    { context: 'c', namespace: undefined, cluster: { server: 'https://a', ...cluster }, user },
    clock,
  );

test('a token, or a name and password, go into every request', async (t) => {
  const token = await credentialsOf({ token: 'secret' });
  t.deepEqual(await token(usual), { headers: { authorization: 'Bearer secret' }, tls: {} });
  const password = await credentialsOf({ username: 'me', password: 'pass' });
  t.deepEqual((await password(usual)).headers, { authorization: `Basic ${base64('me:pass')}` });
  const nobody = await credentialsOf({});
  t.deepEqual((await nobody(usual)).headers, {});
});

test('a token file counts before a token, and is read again', async (t) => {
  const tokenFile = join(await aFolder(t, { token: 'one\n' }), 'token');
  const credentials = await credentialsOf({ token: 'other', tokenFile });
  t.is((await credentials(usual)).headers.authorization, 'Bearer one');
  await writeFile(tokenFile, 'two\n');
  t.is((await credentials(renewed)).headers.authorization, 'Bearer two');
});

test('certificates come as data or from files, data first', async (t) => {
  const folder = await aFolder(t, { 'ca.crt': 'CA', 'me.crt': 'CERT', 'me.key': 'KEY' });
  const user = { 'client-certificate': join(folder, 'me.crt'), 'client-key': join(folder, 'me.key') };
  const cluster = {
    'certificate-authority': join(folder, 'ca.crt'),
    'certificate-authority-data': base64('DATA'),
    'tls-server-name': 'kubernetes',
    'insecure-skip-tls-verify': true,
  };
  const expected = { cert: 'CERT', key: 'KEY', servername: 'kubernetes', rejectUnauthorized: false };
  t.deepEqual(await tlsOf(cluster, user), { ca: 'DATA', ...expected });
  t.deepEqual(await tlsOf({ ...cluster, 'certificate-authority-data': '' }, user), { ca: 'CA', ...expected });
  await rm(join(folder, 'me.key'));
  const error = await t.throwsAsync(tlsOf(cluster, user), { instanceOf: UserError });
  t.is(error.code, 'E#1006');
});

test('impersonation takes headers, which undici can send', (t) => {
  const headers = impersonationOf({
    as: 'jane',
    'as-uid': '7',
    'as-groups': ['a', 'b'],
    'as-user-extra': { 'acme.com/Team': ['x', 'y'] },
  });
  t.deepEqual(headers, {
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-acme.com%2fteam': ['x', 'y'],
  });
  t.deepEqual(impersonationOf({}), {});
});
