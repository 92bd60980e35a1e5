import test from 'ava';
import { request } from 'undici';
import { createCluster } from '../../../cluster/index.ts';
import { aDefinition } from '../fixtures/a-definition.ts';

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
  test(`${what} of a thousand levels is taken, of more it is refused`, async (t) => {
    const cluster = await createCluster();
    t.teardown(() => cluster.close());
    await cluster.apply(definition);
    for (const name of ['lists', 'objects']) {
      const metadata = { name, namespace: 'default' };
      if (what === 'a merge patch')
        await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata } as never);
      for (const levels of [1000, 2000, 3000, 20_000, 999]) {
        const answer = await request(cluster.url + gadgets + path.replace('NAME', name), {
          dispatcher: cluster.dispatcher,
          method,
          headers: { 'content-type': type },
          body: deepGadget(name, levels),
        });
        const shown = `${name}, ${levels}: ${(await answer.body.text()).slice(0, 300)}`;
        if (levels < 1000) t.true(answer.statusCode < 300, shown);
        else t.is(answer.statusCode, 400, shown);
      }
    }
  });

test('a text of many levels is no JSON as it is without them', async (t) => {
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
