import test from 'ava';
import { dnsLabelName, serviceName } from '../../../integrations/service-names.ts';
import { aWorkspace } from '../a-workspace.ts';

for (const [why, parts, pattern] of [
  ['fits', ['shop', 'db'], /^shop-db$/],
  ['starts with a digit', ['7up', 'db'], /^w-7up-db-[0-9a-f]{8}$/],
  ['has a dot', ['my.shop', 'db'], /^my-shop-db-[0-9a-f]{8}$/],
  ['is too long', ['x'.repeat(61), 'db'], /^x{54}-[0-9a-f]{8}$/],
] as const)
  test(`a name that ${why} is a name for a service, and always the same`, (t) => {
    const name = dnsLabelName(...parts);
    t.regex(name, pattern);
    t.is(name, dnsLabelName(...parts));
    t.true(name.length <= 63);
  });

test('names that become alike stay different', (t) => {
  t.not(dnsLabelName('my.shop', 'db'), dnsLabelName('my-shop', 'db'));
});

test('a service is named after workspace, component and network', (t) => {
  t.is(serviceName(aWorkspace(), 'web', 'http'), 'shop-web-http');
});
