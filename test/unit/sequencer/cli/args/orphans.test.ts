import test from 'ava';
import type { Integration } from '../../../../../sdk/index.ts';
import { orphansOf } from '../../../../../sequencer/cli/args/orphans.ts';

const acme: Integration = {
  name: 'acme-dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
};

test('names of integrations that are gone are taken', (t) => {
  t.deepEqual(orphansOf('run', ['former-dns', 'dns.team-a.0123'], [acme]), ['former-dns', 'dns.team-a.0123']);
});

for (const [name, message] of [
  ['DNS', 'needs the name of an integration; DNS is the condition of acme-dns, which is registered'],
  ['acme-dns', 'names acme-dns, which is integrations[0]: remove it from one of the two'],
  ['acme dns', 'must be the name of an integration, such as acme-dns; found "acme dns"'],
  [
    'se.quencer.io/old',
    'must be the name of an integration, without se.quencer.io/; found "se.quencer.io/old"; did you mean old?',
  ],
] as const)
  test(`--orphan ${name} is refused`, (t) => {
    t.throws(() => orphansOf('run', [name], [acme]), {
      code: 'E#2001',
      message: `sequencer run: --orphan ${message}`,
    });
  });
