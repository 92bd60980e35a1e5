import test from 'ava';
import { mergeKubeconfigs, parseKubeconfig, selectContext } from '../../../../../sdk/client/config/kubeconfig.ts';
import { UserError } from '../../../../../sdk/errors.ts';

const origin = { source: '/etc/kube/config', folder: '/etc/kube' };
const configOf = (text: string, from = origin) => parseKubeconfig(text, from);

const text = `
current-context: one
contexts:
- { name: one, context: { cluster: east, user: me, namespace: team } }
- { name: nobody, context: { cluster: east } }
- { name: lost, context: { cluster: west, user: me } }
- { name: stranger, context: { cluster: east, user: you } }
- { name: odd, context: { cluster: odd, user: me } }
- { name: bare, context: { cluster: bare, user: me } }
clusters:
- { name: east, cluster: { server: 'https://east:6443', certificate-authority: ca.crt } }
- { name: odd, cluster: { server: 'unix:///run/x' } }
- { name: bare }
users:
- { name: me, user: { client-certificate: certs/me.crt, client-key: /keys/me.key, exec: { command: ./login } } }
`;

test('a context leads to a server and a user, with file names made absolute', async (t) => {
  t.deepEqual(selectContext(await configOf(text), undefined), {
    context: 'one',
    namespace: 'team',
    cluster: { server: 'https://east:6443', 'certificate-authority': '/etc/kube/ca.crt' },
    user: {
      'client-certificate': '/etc/kube/certs/me.crt',
      'client-key': '/keys/me.key',
      exec: { command: '/etc/kube/login' },
    },
  });
});

test('a plug-in that is found by PATH keeps its name', async (t) => {
  const config = await configOf(text.replace('./login', 'aws'));
  t.is(selectContext(config, undefined).user.exec?.command, 'aws');
});

test('a context without a user sends no credentials', async (t) => {
  t.deepEqual(selectContext(await configOf(text), 'nobody').user, {});
});

for (const [context, code, message] of [
  ['two', 'E#1003', /there is no context "two"/],
  ['lost', 'E#1004', /"lost" points at cluster "west", which is not there/],
  ['stranger', 'E#1004', /"stranger" points at user "you", which is not there/],
  ['odd', 'E#1004', /server is "unix:\/\/\/run\/x" and not an http\(s\) URL/],
  ['bare', 'E#1004', /server is undefined/],
] as const)
  test(`context ${context} is refused with ${code}`, async (t) => {
    const config = await configOf(text);
    const error = t.throws(() => selectContext(config, context), { instanceOf: UserError, message });
    t.is(error.code, code);
    t.true(error.message.startsWith('kubeconfig /etc/kube/config: '));
  });

test('without a current context one has to be named, and the hint lists them', async (t) => {
  const config = await configOf(text.replace('current-context: one', ''));
  const error = t.throws(() => selectContext(config, undefined), {
    instanceOf: UserError,
    message: /no context is selected/,
  });
  t.regex(error.hint ?? '', /one, nobody, lost/);
});

for (const [what, broken, message] of [
  ['YAML that does not parse', 'a: b\nc: d: e', /config: Nested mappings .* at line 2, column 4$/],
  ['something else than a mapping', '- a', /holds no YAML mapping/],
  ['clusters that are no list', 'clusters: {}', /"clusters" is not a list/],
  ['an entry without a name', 'users: [{ user: {} }]', /users\[0\] has no name/],
  ['an entry that is not a mapping', 'users: [{ name: a, user: text }]', /users\[0\]\.user is not a mapping/],
] as const)
  test(`a kubeconfig with ${what} is refused with E#1002`, async (t) => {
    const error = await t.throwsAsync(configOf(broken), { instanceOf: UserError, message });
    t.is(error.code, 'E#1002');
  });

test('of several kubeconfigs the first says what each name means', async (t) => {
  const [one, two] = await Promise.all([
    configOf('clusters: [{ name: a, cluster: { server: "https://first" } }]', { source: 'one', folder: '/' }),
    configOf(
      'current-context: x\nclusters: [{ name: a, cluster: { server: "https://second" } }]\ncontexts: [{ name: x, context: { cluster: a } }]',
      { source: 'two', folder: '/' },
    ),
  ]);
  const both = mergeKubeconfigs([one, two]);
  t.is(both.source, 'one, two');
  t.is(selectContext(both, undefined).cluster.server, 'https://first');
});

test('an alias that stands for nothing, or for too much, is told with the file', async (t) => {
  const laughs = [...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`);
  for (const yaml of ['clusters: *there', ['a: &a [x]', ...laughs].join('\n')])
    await t.throwsAsync(configOf(yaml), { code: 'E#1002', message: /^kubeconfig \/etc\/kube\/config: .*alias/ });
});
