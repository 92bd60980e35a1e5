import test from 'ava';
import { ignoredFlags, lastOf, serverFlagsOf, wordsOf } from '../../../../../sequencer/cli/envtest/server-flags.ts';

test('flags have their values behind an equals sign or a space, and are true without', (t) => {
  const flags = serverFlagsOf(['--secure-port=6443', '--bind-address', '127.0.0.1', '-v=4', '--profiling', '--a=b=c']);
  t.deepEqual(Object.fromEntries(flags), {
    'secure-port': ['6443'],
    'bind-address': ['127.0.0.1'],
    v: ['4'],
    profiling: ['true'],
    a: ['b=c'],
  });
});

test('the last value counts, and lists are all of them', (t) => {
  const flags = serverFlagsOf(['--authorization-mode=Node,RBAC', '--secure-port=1', '--secure-port=2']);
  t.is(lastOf(flags, 'secure-port'), '2');
  t.is(lastOf(flags, 'bind-address'), undefined);
  t.deepEqual(wordsOf(serverFlagsOf(['--mode=a,b', '--mode=', '--mode', 'c']), 'mode'), ['a', 'b', 'c']);
});

test('what envtest passes is supported, or asks for what is so anyway; anything else is named', (t) => {
  const ofEnvtest = [
    'allow-privileged=true',
    'authorization-mode=RBAC',
    'bind-address=127.0.0.1',
    'cert-dir=/tmp/a',
    'client-ca-file=/tmp/a/client-cert-auth-ca.crt',
    'disable-admission-plugins=ServiceAccount',
    'etcd-servers=http://127.0.0.1:2379',
    'secure-port=6443',
    'service-account-issuer=https://127.0.0.1:6443/',
    'service-account-key-file=/tmp/a/sa-signer.crt',
    'service-account-signing-key-file=/tmp/a/sa-signer.key',
    'service-cluster-ip-range=10.0.0.0/24',
  ].map((flag) => `--${flag}`);
  t.deepEqual(ignoredFlags(serverFlagsOf(ofEnvtest)), []);
  t.deepEqual(ignoredFlags(serverFlagsOf([...ofEnvtest, '--feature-gates=A=true'])), ['--feature-gates']);
});
