import test from 'ava';
import { InvalidError, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

const causes = async (spec: object): Promise<readonly string[]> => {
  const stage = await aTargetCluster();
  const error = await stage.create(spec).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InvalidError)) return error === undefined ? [] : [String(error)];
  // Of an invalid object the server says as well that no CEL rule was checked, in a cause without a field.
  return (error.status.details?.causes ?? []).flatMap(({ field = '<nil>' }) => (field === '<nil>' ? [] : [field]));
};

const component = { name: 'web', template: { containers: [{ name: 'web', image: 'nginx' }] } };

test('a spec of everything the product knows is accepted', async (t) => {
  t.deepEqual(
    await causes({
      networking: {
        dns: { zone: 'example.test' },
        tunnel: { acme: { any: ['thing'] } },
        ingress: {
          rules: [{ name: 'web', subdomain: 'www', path: '/a', component: 'web', network: 'http' }],
          loadBalancerRef: { name: 'lb' },
        },
      },
      components: [
        {
          ...component,
          networks: [{ name: 'http', port: 80, targetPort: 8080 }],
          dependsOn: [{ componentName: 'db' }],
        },
      ],
      integrations: { acme: { level: 3 } },
    }),
    [],
  );
});

test('what breaks the schema is refused field by field', async (t) => {
  t.deepEqual(await causes({ components: [{ ...component, name: 'Not A Name' }] }), ['spec.components[0].name']);
  t.deepEqual(await causes({ components: [{ name: 'web' }] }), ['spec.components[0].template']);
  t.deepEqual(
    await causes({ components: [{ ...component, networks: [{ name: 'http', port: 0, targetPort: 70_000 }] }] }),
    ['spec.components[0].networks[0].port', 'spec.components[0].networks[0].targetPort'],
  );
  t.deepEqual(
    await causes({
      networking: { ingress: { rules: [{ name: 'a', path: 'no-slash', component: 'web', network: 'http' }] } },
    }),
    ['spec.networking.ingress.rules[0].path'],
  );
  t.deepEqual(await causes({ components: [component, component] }), ['spec.components[1]']);
});

/** An object with that many members. */
const members = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value]));

test('the open parts of a spec have a bounded number of members', async (t) => {
  t.deepEqual(await causes({ components: [{ ...component, template: members(64, 1) }] }), []);
  t.deepEqual(await causes({ components: [{ ...component, template: members(65, 1) }] }), [
    'spec.components[0].template',
  ]);
  t.deepEqual(await causes({ networking: { tunnel: members(33, {}) } }), ['spec.networking.tunnel']);
  t.deepEqual(await causes({ integrations: members(65, {}) }), ['spec.integrations']);
});

test('defaults are filled in by the server', async (t) => {
  const stage = await aTargetCluster();
  const created = await stage.create({
    networking: { ingress: { rules: [{ name: 'a', component: 'web', network: 'http' }] } },
  } as never);
  t.like(created.spec.networking?.ingress, { className: 'nginx', rules: [{ path: '/' }] });
});

test('a status that no sequencer would write is refused', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const write = (status: object) =>
    stage.client.patch(
      Workspace,
      { namespace: 'default', name: 'shop' },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    );
  await t.throwsAsync(write({ phase: 'Fine' }), {
    instanceOf: InvalidError,
    message: /status\.phase: Unsupported value: "Fine"/,
  });
  await t.throwsAsync(
    write({
      conditions: [{ type: 'DNS', status: 'Perhaps', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    }),
    { message: /status\.conditions\[0\]\.status/ },
  );
});
