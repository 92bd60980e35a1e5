import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  contentOf,
  filledTemplate,
  identities,
  models,
  plugInFiles,
  projectFiles,
  reservedNames,
  type Scaffold,
  stemOf,
} from '../../../../../sequencer/cli/scaffold/templates.ts';

const root = join(import.meta.dirname, '../../../../../templates');
const integration: Scaffold = { what: 'integration', name: 'acme-dns', identity: 'name' };
const controller: Scaffold = { what: 'controller', kind: 'DnsZone', group: 'zones.acme.io', model: 'crud' };
const all: readonly Scaffold[] = [
  ...(Object.keys(identities) as (keyof typeof identities)[]).map((identity) => ({ ...integration, identity })),
  ...(Object.keys(models) as (keyof typeof models)[]).map((model) => ({ ...controller, model })),
];
const filesOf = (scaffold: Scaffold) => [...projectFiles(scaffold), ...plugInFiles(scaffold, 'README.md')];

test('every template is of some scaffold, and every file of a scaffold is of a template', (t) => {
  const used = new Set(all.flatMap((scaffold) => filesOf(scaffold).map(({ from }) => from)));
  const there = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  t.deepEqual([...used].sort(), there.sort());
});

test('no two files of a scaffold have one name', (t) => {
  for (const scaffold of all) {
    const names = filesOf(scaffold).map(({ to }) => to);
    t.is(new Set(names).size, names.length);
  }
});

test('nothing of the template’s own names is left', async (t) => {
  for (const scaffold of all)
    for (const file of filesOf(scaffold)) {
      const content = await contentOf(file, scaffold);
      t.notRegex(content, /acme[-_ ]?box|website|example\.com\b(?!\/shop)/i, `${file.from} of ${stemOf(scaffold)}`);
      t.notRegex(file.to, /acme-?box|website/);
    }
});

test('words are replaced all at once: a name may hold a word of the template', (t) => {
  const odd: Scaffold = { what: 'integration', name: 'acme-box-acme-box', identity: 'key' };
  t.is(
    filledTemplate('acme-box acmeBox ACME_BOX_URL Acme Box', odd),
    'acme-box-acme-box acmeBoxAcmeBox ACME_BOX_ACME_BOX_URL Acme Box Acme Box',
  );
  t.is(filledTemplate("identity: 'tag',\n  spec", odd), "identity: 'key',\n  spec");
  t.is(
    filledTemplate('Website website-a websites.example.com', controller),
    'DnsZone dns-zone-a dnszones.zones.acme.io',
  );
});

test('words of the code are taken, those of comments, strings and the template’s own name are not', async (t) => {
  const taken = await reservedNames(integration);
  for (const word of ['api', 'spec', 'fetch', 'externalResource', 'testIntegration']) t.true(taken.has(word), word);
  for (const word of ['acmeBox', 'guard', 'hello']) t.false(taken.has(word), word);
  t.true((await reservedNames(controller)).has('ConfigMap'));
});
