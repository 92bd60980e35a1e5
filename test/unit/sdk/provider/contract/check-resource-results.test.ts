import test from 'ava';
import { ContractError, type ExternalResource } from '../../../../../sdk/index.ts';
import { checkedResource } from '../../../../../sdk/provider/contract/check-resource-results.ts';
import { aKeeper, boxes } from '../a-keeper.ts';
import { boxKeeper } from '../a-third-party.ts';

type Id = { readonly id: string };
type Resource = ExternalResource<{ readonly name: string }, Id>;

const integration = { claim: 'se.quencer.io/boxes', type: 'Boxes' };
const context = {
  owner: { uid: 'u', namespace: 'default', workspace: 'shop', condition: 'Boxes', slot: 'a', mark: 'u/Boxes/a' },
  signal: new AbortController().signal,
  key: 'k',
};
const sound: Resource = {
  label: 'box',
  nameOf: ({ name }) => name,
  identity: 'tag',
  find: async () => ({ id: 'a' }),
  findAll: async () => [{ slot: 'a', id: { id: 'a' } }],
  create: async () => ({ id: { id: 'a' }, secret: { password: 'x' }, ready: false }),
  observe: async () => ({ state: {}, ready: true }),
  secretOf: async () => ({ password: 'x' }),
  update: async () => {},
  delete: async () => 'deleting',
};
const call = (resource: Resource, name: string): Promise<unknown> => {
  const checked = checkedResource(integration, resource);
  const id = { id: 'a' };
  const calls: Readonly<Record<string, () => unknown>> = {
    nameOf: () => checked.nameOf?.({ name: 'a' }),
    find: () => checked.find?.(context.owner, context),
    findAll: () => checked.findAll?.(context.owner, context),
    create: () => checked.create({ name: 'a' }, context),
    observe: () => checked.observe?.(id, context),
    secretOf: () => checked.secretOf?.(id, context),
    update: () => checked.update?.(id, { name: 'a' }, context),
    delete: () => checked.delete(id, context),
  };
  return (async () => calls[name]?.())();
};

test('answers that are right are handed on', async (t) => {
  for (const name of ['nameOf', 'find', 'findAll', 'create', 'observe', 'secretOf', 'update', 'delete'] as const) {
    const answer = (sound[name] as (...args: unknown[]) => unknown)({ name: 'a' });
    t.deepEqual(await call(sound, name), await answer, name);
  }
});

test('a misspelt member is refused where what it is meant to say would be lost; others may be there', async (t) => {
  const created = { id: { id: 'a' }, secrets: { password: 'x' } };
  const lost = { ...sound, create: async () => created } as Resource;
  const error = await t.throwsAsync(call(lost, 'create'), { instanceOf: ContractError });
  t.regex(error?.message ?? '', /box: create: secrets is not a member; did you mean secret\?$/);
  t.deepEqual(error?.refs, [{ slot: 'a', id: { id: 'a' } }]);
  const unready = { ...sound, observe: async () => ({ state: {}, redy: false }) } as Resource;
  await t.throwsAsync(call(unready, 'observe'), {
    message: /box: observe: redy is not a member; did you mean ready\?$/,
  });
  const more = { id: { id: 'a' }, uid: 'u', region: 'eu', secret: { password: 'x' }, secrets: 1 };
  t.deepEqual(await call({ ...sound, create: async () => more }, 'create'), more);
});

test('its functions may use this', async (t) => {
  const resource: Resource = {
    ...sound,
    async find() {
      return { id: this.label };
    },
  };
  t.deepEqual(await call(resource, 'find'), { id: 'box' });
});

const wrong: readonly (readonly [name: keyof Resource, answer: unknown, message: RegExp])[] = [
  ['nameOf', Promise.resolve('a'), /nameOf: the name {1,2}must be text of 1 to 253 characters; found a Promise$/],
  ['nameOf', '', /found ""$/],
  ['nameOf', 'a\ud83d', /nameOf: the name {1,2}must have well-formed texts; found half of a character/],
  ['findAll', [{ slot: 'a\ud83d', id: { id: 'a' } }], /findAll: \[0\]\.slot must have well-formed texts/],
  ['find', 'box-1', /box: find: the id, or undefined, must be a plain JSON object; found "box-1"$/],
  ['find', null, /found null$/],
  ['findAll', { id: 'a' }, /findAll: the result must be an array of \{ slot, id \}; found an object with id$/],
  ['findAll', [{ id: { id: 'a' } }], /findAll: \[0\] must be \{ slot, id \}; found an object with id$/],
  ['findAll', [{ slot: 'a', id: 'a' }], /findAll: \[0\]\.id must be a plain JSON object; found "a"$/],
  [
    'findAll',
    [{ slot: 'a'.repeat(1025), id: { id: 'a' } }],
    /findAll: \[0\]\.slot must have at most 1024 characters; found 1025$/,
  ],
  ['find', { id: undefined }, /find: the id, or undefined, must have a member with a value; found \{\} as JSON/],
  ['create', { id: { id: undefined } }, /create: id must have a member with a value; found \{\} as JSON/],
  ['create', undefined, /create: the result must be \{ id, secret\?, ready\?, upToDate\? \}; found undefined$/],
  ['create', { id: 'a' }, /create: id must be a plain JSON object; found "a"$/],
  ['create', { id: { id: 'a'.repeat(20_000) } }, /create: id must have at most 16384 characters as JSON; found 20009$/],
  ['create', { id: { id: 'a' }, secret: 'x' }, /create: the secret must be an object of strings$/],
  ['create', { id: { id: 'a' }, ready: 'no' }, /create: ready must be a boolean; found "no"$/],
  ['create', { id: { id: 'a' }, upToDate: 0 }, /create: upToDate must be a boolean; found 0$/],
  [
    'observe',
    { size: 1 },
    /observe: the result must be \{ state, ready\? \} with an object as state, or undefined; found/,
  ],
  ['observe', { state: {}, ready: 1 }, /observe: ready must be a boolean; found 1$/],
  ['observe', { state: {}, mark: '' }, /observe: mark must be text of 1 to 1024 characters; found ""; leave it out/],
  ['observe', { state: {}, mark: 5 }, /observe: mark must be text of 1 to 1024 characters; found 5; leave it out/],
  ['secretOf', 'x', /secretOf: the secret must be an object of strings$/],
  ['secretOf', new Date(0), /box: secretOf: the secret must be an object of strings$/],
  ['delete', 'done', /delete: the result must be gone, deleting or undefined; found "done"$/],
];
for (const [name, answer, message] of wrong)
  test(`refuses what ${name} answers: ${message.source}`, async (t) => {
    const resource = { ...sound, [name]: () => answer } as Resource;
    const error = await t.throwsAsync(call(resource, name), { instanceOf: ContractError, message });
    t.regex(error.message, /^integration "boxes" \(condition Boxes\): box: /);
    t.false(error.message.includes('password'));
  });

test('an unchecked resource is refused when it is used', (t) => {
  const { create: _, ...unmade } = sound;
  t.throws(() => checkedResource(integration, unmade as Resource), {
    message: /box: create must be a function; found/,
  });
  t.throws(() => checkedResource(integration, undefined as unknown as Resource), {
    message: /resource: must be an external resource; found undefined$/,
  });
});

test('what is made and not yet as wanted needs an update', async (t) => {
  const { update: _, ...rest } = sound;
  const half = { ...rest, create: async () => ({ id: { id: 'a' }, upToDate: false }) } as Resource;
  await t.throwsAsync(call(half, 'create'), { message: /create: upToDate: false needs a function update$/ });
  t.like(await call({ ...sound, create: half.create }, 'create'), { upToDate: false });
});

test('what is made and not ready yet needs an observe', async (t) => {
  const { observe: _, ...blind } = sound;
  await t.throwsAsync(call(blind as Resource, 'create'), {
    message: /create: ready: false needs a function observe, which tells when it is ready$/,
  });
});

test('a creation whose answer is wrong keeps the id that came with it, and is not made again', async (t) => {
  const { stage, party, actor } = await aKeeper('opaque');
  const made = party.resource('opaque');
  const flawed = boxKeeper({
    ...made,
    create: async (...args) => ({ ...(await made.create(...args)), ready: 'yes' as unknown as boolean }),
  });
  await stage.create(boxes({ a: 1 }));
  const one = stage.actor([flawed], { holder: 'flawed' });
  await t.throwsAsync(one.walk(), { message: /create: ready must be a boolean; found "yes"$/ });
  const entry = (await stage.read()).status?.guards?.Boxes;
  t.like(entry, { phase: 'unknown', refs: [{ slot: 'a', id: { id: 'box-1' } }] });
  await one.walk();
  await actor.walk();
  t.deepEqual(party.calls, ['create a']);
});

test('what is wanted is plain JSON', async (t) => {
  const { stage, party } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  const keeper = boxKeeper(party.resource('tag'));
  const wanting = {
    ...keeper,
    connect: ({ controller }: Parameters<typeof keeper.connect>[0]) => ({
      reconcile: () => controller.ensure(party.resource('tag'), [{ name: 'a', size: new Date(0) as never }]),
      terminate: async () => {},
    }),
  };
  await t.throwsAsync(stage.actor([wanting]).walk(), {
    instanceOf: ContractError,
    message: /box: wanted\[0\] must be plain JSON; found an object that is not plain JSON$/,
  });
  t.deepEqual(party.calls, []);
});
