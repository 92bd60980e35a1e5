import { join } from 'node:path';
import test from 'ava';
import type { Integration } from '../../../../../sdk/index.ts';
import {
  findConfig,
  integrationsOf,
  loadConfig,
  loadOperatorConfig,
  loadTenantIntegrations,
  requireConfig,
  runnablesOf,
  tenantIntegrationsOf,
  walkthroughOf,
} from '../../../../../sequencer/cli/args/config.ts';
import { aFolder } from '../../../a-folder.ts';

const integration = (name: string, condition: string): Integration => ({
  name,
  condition,
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});

test('the integrations that a module exports are taken in order', (t) => {
  const integrations = [integration('a', 'A'), integration('b', 'B')];
  t.deepEqual(integrationsOf({ integrations }, 'x.ts'), integrations);
});

test('two integrations of one name are refused with the name of the file', (t) => {
  const integrations = [integration('a', 'DNS'), integration('a', 'Mail')];
  t.throws(() => integrationsOf({ integrations }, 'x.ts'), { code: 'E#3001', message: /^config x\.ts: .*"a"/ });
});

const same = integration('a', 'A');
const wrong: readonly (readonly [title: string, module: object, message: RegExp])[] = [
  ['no export of that name', {}, /^config x\.ts: it exports no `integrations`$/],
  [
    'a default export',
    { default: [] },
    /it exports no `integrations`, but a default; integrations are exported by name$/,
  ],
  ['a misspelt export', { integration: [] }, /^config x\.ts: it exports `integration`; did you mean `integrations`\?$/],
  ['another misspelt export', { integrations: [], runables: [] }, /`runables`; did you mean `runnables`\?$/],
  ['no array', { integrations: {} }, /`integrations` is not an array, but {}$/],
  ['undefined', { integrations: undefined }, /`integrations` is not an array, but undefined$/],
  [
    'a Promise',
    { integrations: Promise.reject(new Error('no')) },
    /is not an array, but a Promise: write `await` before it$/,
  ],
  [
    'a function that was not called',
    { integrations: [integration('b', 'B'), function acmeDns() {}] },
    /integrations\[1\] is not an integration, but the function acmeDns \(was its function called\?\): write acmeDns\({ … }\)$/,
  ],
  ['a hole', { integrations: new Array(1) }, /integrations\[0\] is not an integration, but undefined$/],
  [
    'a Promise within',
    { integrations: [Promise.reject(new Error('no'))] },
    /\[0\] is not an integration, but a Promise/,
  ],
  [
    'an array within',
    { integrations: [[]] },
    /integrations\[0\] is not an integration, but an array of 0: write `...`/,
  ],
  ['one twice', { integrations: [same, same] }, /integrations\[1\] is the same as integrations\[0\]: list it once$/],
  [
    'an integration with a field missing',
    { integrations: [{ ...integration('a', 'A'), handles: undefined }] },
    /integration "a": handles must be a function/,
  ],
];
for (const [title, module, message] of wrong)
  test(`${title} is reported`, (t) => {
    t.throws(() => integrationsOf(module, 'x.ts'), { code: 'E#2012', message });
  });

test('a walkthrough has two functions, or there is none', (t) => {
  const walkthrough = { begin: async () => {}, end: async () => ({}) };
  t.is(walkthroughOf({ walkthrough }, 'x.ts'), walkthrough);
  t.is(walkthroughOf({}, 'x.ts'), undefined);
});

test('a walkthrough that is none is refused with the name of the file', (t) => {
  t.throws(() => walkthroughOf({ walkthrough: 'story' }, 'x.ts'), {
    code: 'E#2012',
    message: 'config x.ts: `walkthrough` must be an object with the functions begin and end; found "story"',
  });
});

test('TypeScript is loaded as it is', async (t) => {
  const folder = await aFolder(t, { 'sequencer.config.ts': 'export const integrations: readonly never[] = [];' });
  t.deepEqual(await loadConfig(join(folder, 'sequencer.config.ts')), []);
  t.is(await findConfig(folder), 'sequencer.config.ts');
  t.is(await requireConfig(folder), 'sequencer.config.ts');
});

test('a file that is not there, or does not load, is named', async (t) => {
  await t.throwsAsync(loadConfig('/no/such.ts'), { code: 'E#2010', message: 'there is no config /no/such.ts' });
  const folder = await aFolder(t, { 'broken.js': 'throw new Error("set TOKEN");' });
  await t.throwsAsync(loadConfig(join(folder, 'broken.js')), { code: 'E#2011', message: /does not load: set TOKEN$/ });
  t.is(await findConfig(folder), undefined);
  await t.throwsAsync(requireConfig(folder), { code: 'E#2010' });
});

test('a config whose top-level await never ends is named, instead of waited for', async (t) => {
  const folder = await aFolder(t, { 'waits.js': 'await new Promise(() => {});' });
  await t.throwsAsync(loadConfig(join(folder, 'waits.js'), 50), {
    code: 'E#2011',
    message: /waits\.js does not load: an await at its top level has not ended within 0\.05 s$/,
  });
});

test('the runnables that a module exports are taken, none by default', async (t) => {
  const runnable = { name: 'previews', permissions: [], create: () => ({ name: 'previews', run: async () => {} }) };
  t.deepEqual(runnablesOf({ runnables: [runnable] }, 'x.ts'), [runnable]);
  t.deepEqual(runnablesOf({ integrations: [] }, 'x.ts'), []);
  const folder = await aFolder(t, { 'sequencer.config.ts': 'export const integrations = [];' });
  t.deepEqual((await loadOperatorConfig(join(folder, 'sequencer.config.ts'))).runnables, []);
});

test('runnables that are none are refused with the name of the file', (t) => {
  t.throws(() => runnablesOf({ runnables: {} }, 'x.ts'), {
    code: 'E#2012',
    message: 'config x.ts: `runnables` must be an array of runnables; found {}',
  });
});

const acmeType = { condition: 'DNS', handles: () => true, create: () => integration('acme', 'DNS') };

test('the integration types that a module opens to tenants are taken, none by default', async (t) => {
  const tenantIntegrations = { acme: acmeType };
  t.deepEqual(tenantIntegrationsOf({ tenantIntegrations }, 'x.ts'), tenantIntegrations);
  t.deepEqual(tenantIntegrationsOf({ integrations: [] }, 'x.ts'), {});
  const folder = await aFolder(t, { 'sequencer.config.ts': 'export const integrations = [];' });
  t.deepEqual(await loadTenantIntegrations(join(folder, 'sequencer.config.ts')), {});
});

const notOpened: readonly (readonly [string, object, object])[] = [
  [
    'null',
    { tenantIntegrations: null },
    { code: 'E#2012', message: /`tenantIntegrations` must be an object of integration types by name; found null$/ },
  ],
  [
    'an uncalled one',
    { tenantIntegrations: () => ({}) },
    { code: 'E#2012', message: /by name; found the function tenantIntegrations: was its function called\?/ },
  ],
  [
    'an array',
    { tenantIntegrations: [acmeType] },
    { code: 'E#2012', message: /integration types by name; found an array of 1$/ },
  ],
  [
    'a function',
    { tenantIntegrations: { acme: () => acmeType } },
    {
      code: 'E#2012',
      message: /^config x\.ts: tenantIntegrations\["acme"\] must be an integration type, .*; found a function$/,
    },
  ],
  [
    'one without create',
    { tenantIntegrations: { acme: { ...acmeType, create: undefined } } },
    { code: 'E#2012', message: /tenantIntegrations\["acme"\]: create must be a function/ },
  ],
  [
    'one named like an integration',
    { integrations: [integration('acme', 'A')], tenantIntegrations: { acme: acmeType } },
    { code: 'E#3001', message: /two integrations are named "acme"/ },
  ],
];
for (const [what, module, expected] of notOpened)
  test(`${what} opens no type`, (t) => {
    t.throws(() => tenantIntegrationsOf(module, 'x.ts'), expected);
  });
