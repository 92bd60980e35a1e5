import test from 'ava';
import { parse } from 'yaml';
import { chartSchema, chartValues } from '../../../../../sequencer/cli/manifests/chart-files.ts';

interface Schema {
  readonly properties: Readonly<Record<string, { readonly pattern?: string; readonly type: string }>>;
}

const { properties } = JSON.parse(chartSchema) as Schema;

test('every value has a default that the schema knows', async (t) => {
  const values = parse(await chartValues({ limits: {} }, [])) as Record<string, unknown>;
  t.deepEqual(
    Object.keys(values).sort(),
    Object.keys(properties)
      .filter((name) => name !== 'global')
      .sort(),
  );
  for (const [name, value] of Object.entries(values)) {
    const pattern = properties[name]?.pattern;
    if (pattern !== undefined) t.regex(String(value), new RegExp(pattern), name);
  }
});

test('what connects to addresses that the config does not tell is named beside the value', async (t) => {
  t.regex(
    await chartValues({}, ['integration acme', 'runnable x']),
    /undeclared addresses, .*: integration acme, runnable x\.\negress: \[\]\n/,
  );
});

test('texts that the templates do not quote hold nothing that needs quotes', (t) => {
  for (const name of ['namespace', 'class', 'selector'])
    for (const text of ['a: b', 'a #b', '"', "'", '{{', 'a\nb', '\\'])
      t.notRegex(text, new RegExp(properties[name]!.pattern!), `${name}: ${text}`);
  t.regex(
    'tier in (gold,silver), !old, app.kubernetes.io/name=a, rank > 3, rank<9',
    new RegExp(properties.selector!.pattern!),
  );
});
