import test from 'ava';
import { asksForCertificate, certificateNames } from '../../../../integrations/acme/settings.ts';
import { aWorkspace } from '../../a-workspace.ts';

const rule = (name: string, subdomain?: string) => ({
  ...{ name, path: '/', component: 'web', network: 'http' },
  ...(subdomain !== undefined && { subdomain }),
});
const namesOf = (
  wish: unknown,
  zone = 'Example.test',
  rules = [rule('web'), rule('api', 'api'), rule('same', 'api')],
) =>
  certificateNames(
    aWorkspace({
      spec: {
        networking: { dns: { zone }, ingress: { className: 'nginx', rules } },
        integrations: { 'acme-certificate': wish },
      },
    }),
  );

test('names are those of the ingress rules, or those that are named, each once', (t) => {
  t.deepEqual(namesOf({}), ['shop.example.test', 'api.example.test']);
  t.deepEqual(namesOf({ names: ['A', 'a.example.test.', '*.a', '@'] }), [
    'a.example.test',
    '*.a.example.test',
    'example.test',
  ]);
});

test('a mistake is reported: field, what it may be, what it is', (t) => {
  const at = 'spec.integrations.acme-certificate';
  t.is(namesOf(true), `${at} must be an object, {} for the names of the ingress rules; found true`);
  t.regex(String(namesOf({ name: 'a' })), /acme-certificate\.name/);
  for (const names of [[], 'a', [1], ['a'.repeat(238)], Array.from({ length: 21 }, (_, index) => `${index}`)])
    t.regex(String(namesOf({ names })), /names must be a list of 1 to 20 DNS names; found /);
  t.regex(String(namesOf({ names: ['a_b!'] })), /"a_b!.example.test" must be a name within the zone example.test/);
  t.regex(
    String(namesOf({ names: ['a.example.org.'] })),
    /"a.example.org" must be a name within the zone example.test/,
  );
  t.regex(String(namesOf({}, 'example.test', [])), /names: none, and there are no ingress rules/);
  t.regex(String(namesOf({}, 'no zone')), /^spec.networking.dns.zone: must be the zone .*; found "no zone"$/);
  t.regex(
    String(
      namesOf(
        {},
        'example.test',
        Array.from({ length: 21 }, (_, index) => rule(`r${index}`, `r${index}`)),
      ),
    ),
    /21 names, 20 at most/,
  );
});

test('a spec with the member asks for it', (t) => {
  t.true(asksForCertificate(aWorkspace({ spec: { integrations: { 'acme-certificate': {} } } })));
  t.false(asksForCertificate(aWorkspace({ spec: {} })));
});
