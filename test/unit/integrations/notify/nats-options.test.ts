import test from 'ava';
import { checkedNatsOptions } from '../../../../integrations/notify/nats-options.ts';

const servers = ['tls://nats.example.com:4222', '10.0.0.1:4222', 'nats'];
const stream = 'ENVIRONMENTS';
const seed = `SU${'A'.repeat(56)}`;
const creds = `-----BEGIN NATS USER JWT-----\nx\n-----BEGIN USER NKEY SEED-----\n${seed}\n`;
const pem = '-----BEGIN PRIVATE KEY-----';

test('what is left out has its default', (t) => {
  const { operations, message, changes, handles, ...checked } = checkedNatsOptions({ servers, stream });
  t.is(typeof operations.publish, 'function');
  t.deepEqual(checked, {
    condition: 'AnnouncedByNats',
    name: 'announced-by-nats',
    deadline: 10_000,
    limits: { rate: 5, burst: 20 },
    secrets: [],
    endpoints: ['tcp://nats.example.com:4222', 'tcp://10.0.0.1:4222', 'tcp://nats:4222'],
    prefix: 'environments',
    duplicateWindow: 86_400_000,
  });
});

test('what is secret of a credential is said', (t) => {
  const secrets = (credential: object, tls?: object) =>
    checkedNatsOptions({ servers, stream, credential, ...(tls && { tls }) }).secrets;
  t.deepEqual(secrets({ token: 'a-token' }), ['a-token']);
  t.deepEqual(secrets({ user: 'me', password: 'secret' }), ['secret']);
  t.deepEqual(secrets({ creds }), [creds, seed]);
  t.deepEqual(secrets({ nkey: seed }, { key: pem }), [seed, pem]);
});

for (const [options, message] of [
  [undefined, /options must be an object \{ servers, /],
  [{ stream }, /servers must be a list of 1 to 32 addresses/],
  [{ stream, servers: [] }, /servers must be a list/],
  [{ stream, servers: ['nats://me:secret@nats:4222'] }, /without credentials$/],
  [{ servers }, /stream must be the name of a stream.*not "nothing"$/],
  [{ servers, stream: 'a.b' }, /stream must be/],
  [{ servers, stream, streams: 1 }, /^natsMessages: options: streams is not an option/],
  [{ servers, stream, prefix: 'a.>' }, /prefix must be up to 8 words.*not "a\.>"$/],
  [{ servers, stream, credential: { token: 'a-token', user: 'me', password: 'secret' } }, /credential must be one of/],
  [{ servers, stream, credential: { user: 'me' } }, /credential must be one of/],
  [{ servers, stream, credential: { token: 'x' } }, /credential\.token must be a text of 6/],
  [{ servers, stream, credential: { nkey: 'x' } }, /credential\.nkey must be the seed of an nkey, SU…$/],
  [{ servers, stream, credential: { creds: 'x' } }, /credential\.creds must be the text of a \.creds file$/],
  [{ servers, stream, tls: { ca: 'x' } }, /tls\.ca must be a text in PEM/],
  [{ servers, stream, tls: { pfx: 'x' } }, /tls: pfx is not an option/],
  [{ servers, stream, duplicateWindow: 1 }, /duplicateWindow must be a whole number from 1000/],
] as const)
  test(`refused: ${message.source}, ${JSON.stringify(options)?.length}`, (t) => {
    const error = t.throws(() => checkedNatsOptions(options as never), { instanceOf: TypeError, message });
    t.false(/secret@|x"$/.test(error?.message ?? ''));
  });
