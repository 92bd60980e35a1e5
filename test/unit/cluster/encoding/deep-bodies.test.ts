import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { request } from 'undici';
import { maxLevels, maxYamlLevels } from '../../../cluster/apimachinery/go/go-json.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
const definition = aDefinition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

/** Gadget with a value nested so many levels deep. */
function deepGadget(name: string, levels: number): string {
  const [open, close] = name === 'lists' ? ['[', ']'] : ['{"a":', '}'];
  const deep = `${open.repeat(levels)}1${close.repeat(levels)}`;
  return `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"${name}"},"spec":${deep}}`;
}

const writes = {
  'a create': ['POST', '', 'application/json'],
  'a create in YAML': ['POST', '', 'application/yaml'],
  'a merge patch': ['PATCH', '/NAME', 'application/merge-patch+json'],
  'an apply': ['PATCH', '/NAME?fieldManager=me', 'application/apply-patch+yaml'],
} as const;

for (const [what, [method, path, type]] of Object.entries(writes))
  test(`${what} of ${maxLevels} levels is taken, of more it is refused`, async (t) => {
    const cluster = await createCluster();
    t.teardown(() => cluster.close());
    await cluster.apply(definition);
    for (const name of ['lists', 'objects']) {
      const metadata = { name, namespace: 'default' };
      if (what === 'a merge patch')
        await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata } as never);
      for (const levels of [maxLevels, 1000, 2000, 20_000, maxLevels - 1]) {
        const answer = await request(cluster.url + gadgets + path.replace('NAME', name), {
          dispatcher: cluster.dispatcher,
          method,
          headers: { 'content-type': type },
          body: deepGadget(name, levels),
        });
        const shown = `${name}, ${levels}: ${(await answer.body.text()).slice(0, 300)}`;
        if (levels < maxLevels) t.true(answer.statusCode < 300, shown);
        else t.is(answer.statusCode, 400, shown);
      }
    }
  });

test('a text of many levels is not JSON as it is without them', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const answer = await request(`${cluster.url}/api/v1/namespaces/default/configmaps`, {
    dispatcher: cluster.dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"a":"${'['.repeat(5000)}\\"["${'['.repeat(100_000)}`,
  });
  t.is(answer.statusCode, 400);
  t.regex(await answer.body.text(), /invalid character '\[' after object key:value pair/);
});

test('YAML that is not JSON may have fewer levels', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  await cluster.apply(definition);
  const head = 'apiVersion: example.com/v1\nkind: Gadget\nmetadata:\n  name: block\nspec:\n  ';
  for (const [levels, status] of [
    [maxYamlLevels, 400],
    [2000, 400],
    [maxYamlLevels - 2, 201],
  ] as const) {
    const answer = await request(cluster.url + gadgets, {
      dispatcher: cluster.dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: `${head}${'- '.repeat(levels)}1\n`,
    });
    t.is(answer.statusCode, status, `${levels}: ${(await answer.body.text()).slice(0, 300)}`);
  }
});

test('a JSON patch nests nothing more deeply than a body may be', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  await cluster.apply(definition);
  const ask = askOf(cluster);
  t.is((await ask(`POST ${gadgets}`, deepGadget('objects', 300))).status, 201);
  const deepest = `/spec${'/a'.repeat(250)}`;
  for (const operations of [
    [{ op: 'copy', from: '/spec', path: deepest }],
    [{ op: 'add', path: deepest, value: JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`) }],
    Array.from({ length: 60 }, () => ({ op: 'copy', from: '/spec', path: deepest })),
    [
      { op: 'copy', from: '/spec', path: '/other' },
      { op: 'move', from: '/other', path: deepest },
    ],
  ]) {
    const answer = await ask(`PATCH ${gadgets}/objects`, operations);
    t.is(answer.status, 422, answer.text.slice(0, 300));
  }
});

test('the deepest bodies fit into half of the usual stack of a main thread', async (t) => {
  const program = fileURLToPath(new URL('../fixtures/deep-requests.ts', import.meta.url));
  const arguments_ = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--stack-size=492', program];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_);
  const { sent, failed } = JSON.parse(stdout) as { sent: number; failed: readonly string[] };
  t.true(sent > 30);
  t.deepEqual(failed, []);
});
