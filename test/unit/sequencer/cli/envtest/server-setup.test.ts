import { join } from 'node:path';
import test from 'ava';
import { serverFlagsOf } from '../../../../../sequencer/cli/envtest/server-flags.ts';
import { serverSetupOf, tokenUsersIn } from '../../../../../sequencer/cli/envtest/server-setup.ts';
import { aFolder } from '../../../a-folder.ts';

const setupOf = (...flags: readonly string[]) => serverSetupOf(serverFlagsOf(flags));

test('without flags it is what kube-apiserver is by default, on the loopback interface', async (t) => {
  t.deepEqual(await setupOf(), { cluster: { rbac: false }, listen: { host: '127.0.0.1', port: 6443 } });
});

test('files are read, and values passed on', async (t) => {
  const folder = await aFolder(t, { 'apiserver.crt': 'C', 'apiserver.key': 'K', ca: 'A', tokens: 't,jane,u1,"a,b"\n' });
  const setup = await setupOf(
    `--cert-dir=${folder}`,
    `--client-ca-file=${join(folder, 'ca')}`,
    `--token-auth-file=${join(folder, 'tokens')}`,
    '--authorization-mode=Node,RBAC',
    '--bind-address=::1',
    '--secure-port=7000',
    '--service-account-issuer=https://here',
    '--service-cluster-ip-range=10.0.0.0/24,fd00::/108',
  );
  const jane = { name: 'jane', uid: 'u1', groups: ['a', 'b', 'system:authenticated'] };
  t.deepEqual(setup, {
    cluster: { rbac: true, tokens: { t: jane }, issuer: 'https://here', serviceRange: '10.0.0.0/24' },
    listen: { host: '::1', port: 7000, identity: { certificate: 'C', key: 'K' }, clientAuthorities: 'A' },
  });
});

test('a certificate that is named comes before that of the folder, which may have none', async (t) => {
  const folder = await aFolder(t, { crt: 'C', key: 'K' });
  t.is((await setupOf(`--cert-dir=${folder}`)).listen.identity, undefined);
  const named = [`--tls-cert-file=${join(folder, 'crt')}`, `--tls-private-key-file=${join(folder, 'key')}`];
  t.deepEqual((await setupOf(`--cert-dir=${folder}`, ...named)).listen.identity, { certificate: 'C', key: 'K' });
});

test('a file that is not there, or a port that is none, is reported', async (t) => {
  await t.throwsAsync(setupOf('--client-ca-file=/no/such'), { code: 'E#2002', message: /^cannot read \/no\/such: / });
  await t.throwsAsync(setupOf('--tls-cert-file=/no/such', '--tls-private-key-file=/no/such'), { code: 'E#2002' });
  await t.throwsAsync(setupOf('--secure-port=http'), { code: 'E#2001', message: /found "http"/ });
});

test('token files have users with or without ids and groups', (t) => {
  t.deepEqual(tokenUsersIn('# tokens\nabc,jane,7,"devs,ops"\n\nxyz,"joe ""j""",8\n'), {
    abc: { name: 'jane', uid: '7', groups: ['devs', 'ops', 'system:authenticated'] },
    xyz: { name: 'joe "j"', uid: '8', groups: ['system:authenticated'] },
  });
});
