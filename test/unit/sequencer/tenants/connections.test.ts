import test from 'ava';
import { ConfigMap, type Secret, SecretRegistry, secretsRule } from '../../../../sdk/index.ts';
import type { AnyConfig } from '../../../../sequencer/tenants/config-integration-name.ts';
import { type ConfigConnection, Connections } from '../../../../sequencer/tenants/connections.ts';
import type { TenantIntegration } from '../../../../sequencer/tenants/tenant-integration.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { aConfig, acme, acmeType, aSecret } from './fixtures/a-config.ts';

const secretRefs = { token: { name: 'dns', key: 'token' } };
const named = (name: string, namespace = 'team-a') => aConfig({ secretRefs }, { name, namespace });

function setUp(type: Partial<TenantIntegration> = {}, maxConnections = 100) {
  const clock = createManualClock();
  const closed: string[] = [];
  const secrets = new SecretRegistry();
  let secret: Secret | undefined = aSecret({ token: 'token-one' });
  let made = 0;
  const create: TenantIntegration['create'] = (_, { token = '' }) => {
    made += 1;
    return { integration: acme({ limits: { rate: 1 } }), close: () => void closed.push(token) };
  };
  const types = { acme: { ...acmeType, create, ...type } };
  const connections = new Connections({
    types,
    secretOf: () => secret,
    secrets,
    clock,
    maxConnections,
    idleAfter: 1000,
  });
  const open = (config: AnyConfig): ConfigConnection => {
    const found = connections.of(config);
    if ('problem' in found) throw new Error(found.problem);
    return found;
  };
  const rotate = (next: Secret | undefined) => {
    secret = next;
  };
  return { connections, open, rotate, clock, closed, secrets, made: () => made };
}

test('a config has one connection, made anew when its Secret has changed; the former one ends its calls first', async (t) => {
  const { connections, open, rotate, closed, made } = setUp();
  const first = open(named('a'));
  t.is(open(aConfig({ secretRefs, default: true }, { name: 'a', resourceVersion: '2' })), first);
  const answered = Promise.withResolvers<string>();
  const call = first.during(() => answered.promise);
  rotate(aSecret({ token: 'token-two' }, { resourceVersion: '2' }));
  t.not(open(named('a')), first);
  t.deepEqual([made(), connections.size, closed], [2, 1, []], 'a call still runs');
  answered.resolve('done');
  t.is(await call, 'done');
  t.deepEqual(closed, ['token-one']);
  rotate(undefined);
  t.like(connections.of(named('a')), { reason: 'SecretMissing' });
  t.deepEqual([connections.size, closed], [0, ['token-one', 'token-two']], 'a deleted credential is not used on');
});

test('each config has limits of its own, and secrets that are redacted for it alone', (t) => {
  const { open, secrets } = setUp();
  secrets.add('of-the-process');
  const [a, b] = [open(named('a')), open(named('b'))];
  t.deepEqual(a.integration.limits, b.integration.limits);
  t.not(a.integration.limits, b.integration.limits);
  t.is(a.secrets.redact('token-one of-the-process'), '*** ***');
  t.is(secrets.redact('token-one of-the-process'), 'token-one ***');
});

test('beyond the limit a tenant displaces its own connections first, the longest unused one', async (t) => {
  const { connections, open, clock, made } = setUp({}, 3);
  const other = open(named('z', 'team-b'));
  for (const name of ['a', 'b', 'c', 'd']) {
    await clock.advance(1);
    open(named(name));
  }
  t.is(connections.size, 3);
  t.is(open(named('z', 'team-b')), other, 'the other tenant’s is still there');
  t.is(made(), 5);
  open(named('d'));
  t.is(made(), 5, 'the newest one is');
  open(named('a'));
  t.is(made(), 6, 'the oldest one is not');
});

test('one that nothing uses is closed after a while; one in use is not', async (t) => {
  const { connections, open, clock, closed } = setUp();
  const busy = open(named('busy'));
  const answered = Promise.withResolvers<void>();
  const call = busy.during(() => answered.promise);
  open(named('idle'));
  await clock.advance(2000);
  t.deepEqual([connections.size, closed.length], [1, 1]);
  answered.resolve();
  await call;
  connections.close();
  t.deepEqual([connections.size, closed.length], [0, 2]);
});

test('to look whether a config can be used keeps no connection', (t) => {
  const { connections, rotate, closed } = setUp();
  t.is(connections.problemOf(named('a')), undefined);
  t.deepEqual([connections.size, closed.length], [0, 1]);
  rotate(undefined);
  t.like(connections.problemOf(named('a')), { reason: 'SecretMissing' });
});

const failing: readonly (readonly [string, string, RegExp, Partial<TenantIntegration>])[] = [
  [
    'what create refuses is reported without the credential',
    'Refused',
    /^bad \*\*\*$/,
    {
      create: (_, { token }) => {
        throw new TypeError(`bad ${token}`);
      },
    },
  ],
  ['another name is refused', 'TypeInvalid', /returned integration other/, { create: () => acme({ name: 'other' }) }],
  ['another condition is refused', 'TypeInvalid', /for Other, not DNS/, { create: () => acme({ condition: 'Other' }) }],
  [
    'a kind that the type does not own is refused',
    'TypeInvalid',
    /owns ConfigMap: name it in owns/,
    { create: () => acme({ owns: [ConfigMap] }) },
  ],
  [
    'an output that the type does not have is refused',
    'TypeInvalid',
    /the output uri: name it in outputs/,
    { create: () => acme({ outputs: { uri: { description: 'its address' } } }) },
  ],
  [
    'rights that the type does not ask for are refused, since the operator was not given them',
    'TypeInvalid',
    /the rights get, create, patch of secrets: name them in permissions/,
    { create: () => acme({ permissions: [secretsRule] }) },
  ],
];
for (const [title, reason, problem, type] of failing)
  test(title, (t) => {
    const { connections } = setUp(type);
    const found = connections.of(named('a'));
    if (!('problem' in found)) return t.fail();
    t.is(found.reason, reason);
    t.regex(found.problem, problem);
    t.is(connections.size, 0);
  });
