import test from 'ava';
import { type HttpHooksOptions, httpHooks } from '../../../../integrations/http/index.ts';
import { rulesOf } from '../../../../sdk/host/index.ts';
import { conditionOf, Secret, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { hooksStandIn } from './stand-in.ts';
import { boxOptions, secret } from './subject.ts';

const functions = ['find', 'observe', 'update', 'secretOf', 'replaceMark'] as const;

/** A workspace that asks for a box, at a stand-in. */
async function aBox(wish: unknown, options: Partial<HttpHooksOptions> = {}) {
  const stage = await aTargetCluster();
  const { clock } = stage;
  const server = hooksStandIn({
    secret,
    identity: 'name',
    clock,
    isSecretive: options.functions?.includes('secretOf') ?? false,
  });
  const integration = httpHooks({ ...boxOptions, clock, fetch: server.fetch, ...options });
  const actor = stage.actor([integration]);
  await stage.create({ integrations: { 'acme-box': wish as object } });
  return {
    ...stage,
    server,
    actor,
    heirOf: stage.actor,
    integration,
    said: async () => {
      const { status, reason } = conditionOf(await stage.read(), 'Box');
      return `${status}: ${reason}`;
    },
  };
}

test('a workspace gets its thing, and loses it', async (t) => {
  const { actor, said, server, read, delete: remove } = await aBox({ size: 1 }, { label: 'box' });
  await actor.walk();
  t.is(await said(), 'Completed: box is there');
  t.like([...server.boxes.values()][0], { mark: `${(await read()).metadata.uid}/Box/`, wanted: { size: 1 } });
  await remove();
  await actor.walk();
  t.deepEqual([server.boxes.size, server.called], [0, ['describe', 'create', 'observe', 'delete']]);
});

test('a workspace gets several things, one more and one less', async (t) => {
  const left = { name: 'left', size: 1 };
  const stage = await aBox([left, { name: 'right', size: 2 }], { several: true, functions, label: 'box' });
  const { actor, said, server, read, client, delete: remove } = stage;
  const held = () => [...server.boxes.values()].map(({ mark, wanted }) => [mark.replace(/^.*\//, ''), wanted]);
  await actor.walk();
  t.regex(await said(), /^Completed: /);
  t.deepEqual(held(), [
    ['left', { size: 1 }],
    ['right', { size: 2 }],
  ]);
  const { data } = await client.get(Secret, { namespace: 'default', name: 'shop-box-right' });
  t.is(atob(data?.token ?? ''), `token-of-box-of-${(await read()).metadata.uid}/Box/right`);
  const value = { spec: { integrations: { 'acme-box': [{ name: 'third', size: 3 }, left] } } };
  await client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'merge', value });
  await actor.walk();
  t.deepEqual(held(), [
    ['left', { size: 1 }],
    ['third', { size: 3 }],
  ]);
  await remove();
  await actor.walk();
  t.deepEqual(held(), []);
});

test('each of several things has its outputs, which others name by it', async (t) => {
  const outputs = { id: { description: 'Id of the box.' }, token: { description: 'Its token.', secret: true } };
  const things = [
    { name: 'left', size: 1 },
    { name: 'right', size: 2 },
  ];
  const { actor, read, integration } = await aBox(things, { several: true, functions, outputs });
  await actor.walk();
  const { metadata, status } = await read();
  t.deepEqual(status?.outputs?.Box, {
    values: {
      'left/id': `box-of-${metadata.uid}/Box/left`,
      'right/id': `box-of-${metadata.uid}/Box/right`,
    },
    secrets: {
      'left/token': { name: 'shop-box-left', key: 'token' },
      'right/token': { name: 'shop-box-right', key: 'token' },
    },
  } as never);
  t.deepEqual(integration.outputs?.id?.each?.(await read()), ['left', 'right']);
});

for (const isDeleted of [false, true])
  test(`what is no longer asked for, and whose record was lost, is found and goes${isDeleted ? ', also with the workspace' : ''}`, async (t) => {
    const left = { name: 'left', size: 1 };
    const options = { several: true, functions: ['find', 'findAll', 'observe', 'update'] } as const;
    const stage = await aBox([left, { name: 'right', size: 2 }], options);
    await stage.actor.walk();
    t.is(stage.server.boxes.size, 2);
    const key = { namespace: 'default', name: 'shop' };
    const operations = [{ op: 'remove', path: '/status' }] as const;
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    const lost = { metadata: { annotations: null }, spec: { integrations: { 'acme-box': [left] } } };
    await stage.client.patch(Workspace, key, { type: 'merge', value: lost });
    if (isDeleted) await stage.delete();
    const heir = stage.heirOf([stage.integration], { holder: 'heir' });
    await heir.walk();
    await stage.clock.advance(80_000);
    await heir.walk();
    await heir.walk();
    t.true(stage.server.called.includes('findAll'));
    const held = [...stage.server.boxes.values()].map(({ mark }) => mark.replace(/^.*\//, ''));
    t.deepEqual(held, isDeleted ? [] : ['left']);
  });

test('outputs are members of the id, and keys of the Secret', async (t) => {
  const outputs = { id: { description: 'Id of the box.' }, token: { description: 'Its token.', secret: true } };
  const { actor, read, client, integration } = await aBox({ size: 1 }, { functions, outputs });
  await actor.walk();
  const { metadata, status } = await read();
  t.deepEqual(status?.outputs?.Box, {
    values: { id: `box-of-${metadata.uid}/Box/` },
    secrets: { token: { name: 'shop-box', key: 'token' } },
  } as never);
  const { data } = await client.get(Secret, { namespace: 'default', name: 'shop-box' });
  t.is(atob(data?.token ?? ''), `token-of-box-of-${metadata.uid}/Box/`);
  t.true(rulesOf(integration).some(({ resources }) => resources.includes('secrets')));
});

test('a wish that cannot be is reported in the condition before anything is sent', async (t) => {
  const schema = { type: 'object', properties: { size: { type: 'integer' } } };
  const { actor, said, server } = await aBox({ size: 'big' }, { schema });
  await actor.walk();
  t.regex(await said(), /^Error: spec\.integrations\.acme-box is not as its schema says: size: .*expected number/);
  t.deepEqual(server.called, []);
});

test('a server that is not as the options say makes nothing, and the condition says what differs', async (t) => {
  const { actor, said, server } = await aBox({ size: 1 }, { identity: 'tag' });
  await t.throwsAsync(actor.walk());
  t.regex(await said(), /^Error: .*identity is name there, and the option says tag/);
  t.is(server.boxes.size, 0);
});

test('outputs that a wish names are references', (t) => {
  const spec = { integrations: { 'acme-box': { of: '${outputs::Database.host}' } } };
  t.deepEqual(httpHooks(boxOptions).references?.({ metadata: { name: 'shop' }, spec } as never), ['Database.host']);
});

test('what others check is refused by name', (t) => {
  t.throws(() => httpHooks({ ...boxOptions, condition: 'Ready' }), { message: /"acme-box": condition must be/ });
  t.throws(() => httpHooks({ ...boxOptions, outputs: { 'a b': { description: 'x' } } }), {
    message: /outputs must be named/,
  });
});
