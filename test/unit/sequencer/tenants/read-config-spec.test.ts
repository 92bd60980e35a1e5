import test from 'ava';
import * as z from 'zod';
import { mistakesText, readConfigSpec } from '../../../../sequencer/tenants/read-config-spec.ts';
import type { TenantIntegration } from '../../../../sequencer/tenants/tenant-integration.ts';
import { aConfig, acmeType } from './fixtures/a-config.ts';

const secretRefs = { token: { name: 'dns', key: 'token' } };
const tuned: TenantIntegration = {
  ...acmeType,
  mutableOptions: z.strictObject({ ttl: z.coerce.number().int().optional() }),
  validate: (options, mutable) =>
    (options as { port: number }).port === 853 && (mutable as { ttl?: number }).ttl === undefined
      ? [{ field: 'spec.mutableOptions.ttl', message: 'is needed with port 853' }]
      : [],
};
const read = (spec: Parameters<typeof aConfig>[0], type: TenantIntegration = tuned) =>
  readConfigSpec(aConfig({ secretRefs, ...spec }), { acme: type });
const fieldsOf = (result: ReturnType<typeof read>) =>
  'mistakes' in result ? [result.reason, ...result.mistakes.map(({ field }) => field)] : [];

test('a right spec gives the type, and the options as its schemas made them', (t) => {
  t.deepEqual(read({ options: { port: '853' }, mutableOptions: { ttl: '60' } }), {
    tenant: tuned,
    options: { port: 853 },
    mutableOptions: { ttl: 60 },
  });
});

test('all mistakes are reported at once by field, with the reason of the first', (t) => {
  const wrong = read({ options: { prot: '1' }, mutableOptions: { ttl: 'x' }, secretRefs: { key: secretRefs.token } });
  t.deepEqual(fieldsOf(wrong), [
    'OptionsInvalid',
    'spec.options.prot',
    'spec.mutableOptions.ttl',
    'spec.secretRefs.key',
    'spec.secretRefs.token',
  ]);
  if (!('mistakes' in wrong)) return t.fail();
  t.true(mistakesText(wrong).startsWith('spec.options.prot: there is no such field; did you mean port?; spec.mut'));
});

test('the type’s own validate judges options that fit their schemas, and only those', (t) => {
  t.deepEqual(fieldsOf(read({ options: { port: '853' } })), ['OptionsInvalid', 'spec.mutableOptions.ttl']);
  t.deepEqual(fieldsOf(read({ options: { port: '0' } })), ['OptionsInvalid', 'spec.options.port']);
});

test('a validate that fails is a mistake of the type', (t) => {
  const broken = {
    ...tuned,
    validate: () => {
      throw new Error('a bug');
    },
  };
  const found = read({}, broken);
  t.deepEqual(fieldsOf(found), ['TypeInvalid', 'spec.type']);
  t.regex('mistakes' in found ? mistakesText(found) : '', /"acme".*: validate must not throw; it threw a bug/);
});

test('a type that is not opened names those that are', (t) => {
  const found = read({ type: 'toString' });
  t.deepEqual('mistakes' in found && found.mistakes, [
    { field: 'spec.type', message: 'the operator opens no integration type toString; it opens acme' },
  ]);
});

test('texts about many mistakes are bounded', (t) => {
  const many = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`o${'x'.repeat(60)}${at}`, '1']));
  const found = read({
    options: many,
    secretRefs: Object.fromEntries(Object.keys(many).map((k) => [k, secretRefs.token])),
  });
  t.true('mistakes' in found && mistakesText(found).length <= 1024);
});
