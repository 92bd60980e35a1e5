import test from 'ava';
import * as z from 'zod';
import { integrationTypeLabel } from '../../../../sdk/host/index.ts';
import type { Secret } from '../../../../sdk/index.ts';
import { problemText, readConfig, versionOf } from '../../../../sequencer/tenants/config-values.ts';
import type { TenantIntegration } from '../../../../sequencer/tenants/tenant-integration.ts';
import { aConfig, acmeType, aSecret } from './fixtures/a-config.ts';

const secretRefs = { token: { name: 'dns', key: 'token' } };
const types = { acme: acmeType };
const reading = (spec: Parameters<typeof aConfig>[0], secret?: Secret) =>
  readConfig(aConfig({ secretRefs, ...spec }), { types, secretOf: () => secret });

test('options come as the schema makes them, credentials as texts', (t) => {
  t.like(reading({ options: { port: '5353' } }, aSecret({ token: 'päss' })), {
    options: { port: 5353 },
    secrets: { token: 'päss' },
  });
  t.like(reading({}, aSecret({ token: 'abc' })), { options: { port: 53 } });
});

const secret = aSecret({ token: 'abcdef' });
for (const [reason, problem, spec, found] of [
  ['TypeNotOpened', /opens no integration type toString/, { type: 'toString' }, secret],
  [
    'OptionsInvalid',
    /spec\.options\.prot: there is no such field; did you mean port\?/,
    { options: { prot: '1' } },
    secret,
  ],
  ['OptionsInvalid', /spec\.options\.port: /, { options: { port: 'x' } }, secret],
  ['SecretRefMissing', /spec\.secretRefs\.token: is missing/, { secretRefs: {} }, secret],
  [
    'SecretRefUnknown',
    /secretRefs\.key: there is no such credential; known are token/,
    { secretRefs: { ...secretRefs, key: secretRefs.token } },
    secret,
  ],
  ['SecretMissing', /Secret dns does not exist, or has no label/, {}, undefined],
  [
    'SecretMissing',
    /has the label .*=other, not acme/,
    {},
    aSecret({ token: 'a' }, { labels: { [integrationTypeLabel]: 'other' } }),
  ],
  ['SecretKeyMissing', /no key token/, {}, aSecret({ other: 'abc' })],
  ['SecretKeyMissing', /no key token, or an empty one/, {}, aSecret({ token: '' })],
  ['SecretInvalid', /not UTF-8 text/, {}, aSecret({ token: Uint8Array.of(0xff, 0xfe) })],
  ['SecretInvalid', /longer than 65536 bytes/, {}, aSecret({ token: 'a'.repeat(65_537) })],
] as const)
  test(`${reason} says ${problem}`, (t) => {
    const read = reading(spec, found);
    if (!('problem' in read)) return t.fail('it is read');
    t.is(read.reason, reason);
    t.regex(read.problem, problem);
    t.regex(problemText(aConfig(), read), /^IntegrationConfig team-a\/dns cannot be used: /);
    t.notRegex(read.problem, /abcdef/);
  });

test('mutable options are read by a schema of their own; those in the wrong place are reported', (t) => {
  const mutable = { ...acmeType, mutableOptions: z.strictObject({ ttl: z.coerce.number().int().default(300) }) };
  const read = (spec: Parameters<typeof aConfig>[0], type: TenantIntegration = mutable) =>
    readConfig(aConfig({ secretRefs, ...spec }), { types: { acme: type }, secretOf: () => secret });
  t.like(read({}), { options: { port: 53 }, mutableOptions: { ttl: 300 } });
  t.like(read({ mutableOptions: { ttl: '60' } }), { mutableOptions: { ttl: 60 } });
  t.like(read({ mutableOptions: { port: '60' } }), {
    reason: 'OptionsInvalid',
    problem: 'spec.mutableOptions.port: there is no such field; known are ttl',
  });
  t.like(read({ mutableOptions: { ttl: '60' } }, acmeType), {
    problem: 'spec.mutableOptions.ttl: type acme has no mutableOptions; it has spec.options',
  });
});

test('a type without a schema has no options', (t) => {
  const { options: _, ...bare } = acmeType;
  const given = { types: { acme: bare }, secretOf: () => secret };
  t.like(readConfig(aConfig({ secretRefs, options: { a: '1' } }), given), { reason: 'OptionsInvalid' });
  t.like(readConfig(aConfig({ secretRefs }), given), { secrets: { token: 'abcdef' } });
});

test('the version changes with the spec and the Secrets, and with nothing else', (t) => {
  const version = (config = aConfig({ secretRefs }), found: Secret | undefined = secret) =>
    versionOf(config, () => found);
  t.is(version(aConfig({ secretRefs }, { resourceVersion: '9', labels: { a: 'b' } })), version());
  t.not(version(aConfig({ secretRefs }, { generation: 2 })), version());
  t.not(version(undefined, aSecret({ token: 'abcdef' }, { resourceVersion: '2' })), version());
  t.not(
    versionOf(aConfig({ secretRefs }), () => undefined),
    version(),
  );
});
