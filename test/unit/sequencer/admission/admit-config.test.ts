import test from 'ava';
import { admitConfig } from '../../../../sequencer/admission/admit-config.ts';
import { aConfig, acmeType } from '../tenants/fixtures/a-config.ts';

const secretRefs = { token: { name: 'dns', key: 'token' } };
const of = (options: Readonly<Record<string, string>>, metadata = {}) => aConfig({ options, secretRefs }, metadata);
const admit = (config: ReturnType<typeof of>, old?: ReturnType<typeof of>, type = acmeType) =>
  admitConfig(config, { old }, { acme: type });

test('a new mistake refuses; one that was there before is a warning', (t) => {
  const wrong = of({ port: 'x' });
  t.like(admit(wrong), { errors: [{ field: 'spec.options.port' }], warnings: [] });
  const both = aConfig({ options: { port: 'x' }, secretRefs: {} });
  t.like(admit(both, wrong), { errors: [{ field: 'spec.secretRefs.token', message: 'is missing' }] });
  t.regex(admit(both, wrong)?.warnings?.[0] ?? '', /^spec\.options\.port: /);
  t.is(admit(of({ port: '53' })), undefined);
});

test('a type whose validate fails is a warning: the tenant cannot fix it', (t) => {
  const validate = () => {
    throw new Error('a bug');
  };
  const verdict = admit(of({}), undefined, { ...acmeType, validate });
  t.is(verdict?.errors, undefined);
  t.regex(verdict?.warnings?.[0] ?? '', /validate must not throw/);
});

test('what is being deleted, and changes of anything but the spec, are let through', (t) => {
  const wrong = of({ port: 'x' });
  t.is(admit(of({ port: 'x' }, { deletionTimestamp: '2026-01-01T00:00:00Z' })), undefined);
  t.is(admit(of({ port: 'x' }, { labels: { a: 'b' } }), wrong), undefined);
});
