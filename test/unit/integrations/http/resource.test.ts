import test from 'ava';
import type { HooksClient } from '../../../../integrations/http/client.ts';
import { checkedHooksOptions, type HttpHooksOptions } from '../../../../integrations/http/options.ts';
import { hookResource } from '../../../../integrations/http/resource.ts';
import { ContractError, type Owner } from '../../../../sdk/index.ts';
import { boxOptions } from './subject.ts';

const owner: Owner = { uid: 'u', namespace: 'n', workspace: 'w', condition: 'Box', slot: '', mark: 'u/Box/' };
const told = { uid: 'u', namespace: 'n', workspace: 'w', condition: 'Box', mark: 'u/Box/' };
const { signal } = new AbortController();
const functions = ['find', 'observe', 'update', 'secretOf', 'replaceMark'] as const;

/** A resource whose server gives these answers by function. */
function aResource(options: Partial<HttpHooksOptions>, answers: Readonly<Record<string, unknown>> = {}) {
  const calls: unknown[] = [];
  const checked = checkedHooksOptions({ ...boxOptions, ...options });
  const client = {
    async call(name: string, members: object) {
      calls.push([name, members]);
      return name === 'describe'
        ? { identity: checked.identity, functions, validForMs: 86_400_000 }
        : (answers[name] ?? {});
    },
  } as unknown as HooksClient;
  return { calls, resource: hookResource(client, checked) };
}

test('it has the functions that the options name, and their times', (t) => {
  const all = aResource({ functions, listLag: 700, maxRequest: 900, driftInterval: 1100 }).resource;
  t.like(all, { label: 'acme-box', identity: 'name', listLagMs: 700, maxRequestMs: 900, driftInterval: 1100 });
  for (const name of functions) t.is(typeof all[name], 'function');
  const few = aResource({ functions: ['find'] }).resource;
  t.deepEqual([few.observe, few.update, few.driftInterval, few.findAll], [undefined, undefined, undefined, undefined]);
});

test('each call is one request, and a creation is preceded by one for the description', async (t) => {
  const id = { id: 'b' };
  const { resource, calls } = aResource(
    { functions },
    {
      create: { id },
      find: { id },
      observe: { state: null },
      secretOf: { secret: { a: 'b' } },
      delete: { gone: false },
    },
  );
  t.deepEqual(await resource.create({ size: 1 }, { owner, key: 'k', signal }), { id });
  t.deepEqual(await resource.find?.(owner, { signal }), id);
  t.is(await resource.observe?.(id, { owner, signal }), undefined);
  await resource.update?.(id, { size: 2 }, { owner, signal });
  t.deepEqual(await resource.secretOf?.(id, { owner, signal }), { a: 'b' });
  await resource.replaceMark?.(id, { owner, former: [owner], signal });
  t.is(await resource.delete(id, { owner, signal }), 'deleting');
  t.deepEqual(calls, [
    ['describe', {}],
    ['create', { owner: told, key: 'k', wanted: { size: 1 } }],
    ['find', { owner: told }],
    ['observe', { owner: told, id }],
    ['update', { owner: told, id, wanted: { size: 2 } }],
    ['secretOf', { owner: told, id }],
    ['replaceMark', { owner: told, former: [told], id }],
    ['delete', { owner: told, id }],
  ]);
});

test('of several things the name is the slot of the owner, and no part of what the server is asked for', async (t) => {
  const id = { id: 'b' };
  const { resource, calls } = aResource(
    { several: true },
    { create: { id }, observe: { state: { size: 1, name: 'x' } } },
  );
  const left = { ...owner, slot: 'left', mark: 'u/Box/left' };
  const toldLeft = { ...told, slot: 'left', mark: 'u/Box/left' };
  t.is(resource.nameOf?.({ name: 'left', size: 1 }), 'left');
  await resource.create({ name: 'left', size: 1 }, { owner: left, key: 'k', signal });
  await resource.update?.(id, { name: 'left', size: 2 }, { owner: left, signal });
  t.deepEqual(await resource.observe?.(id, { owner: left, signal }), { state: { size: 1 } });
  t.deepEqual(calls.slice(1, 3), [
    ['create', { owner: toldLeft, key: 'k', wanted: { size: 1 } }],
    ['update', { owner: toldLeft, id, wanted: { size: 2 } }],
  ]);
  t.is(aResource({ several: true, identity: 'key', validForMs: 86_400_000 }).resource.findAll, undefined);
});

test('a list is asked for what bears the mark of the workspace, whatever the identity', async (t) => {
  const things = [
    { slot: 'left', id: { id: 'a' } },
    { slot: '', id: { id: 'b' } },
  ];
  for (const options of [
    {},
    { identity: 'tag' },
    { identity: 'key', validForMs: 86_400_000 },
    { several: true },
  ] as const) {
    const { resource, calls } = aResource(
      { functions: ['find', 'findAll', 'observe'], ...options },
      { findAll: { things } },
    );
    t.deepEqual(await resource.findAll?.(owner, { signal }), things);
    t.deepEqual(calls, [['findAll', { owner: told }]]);
  }
});

test('with key, what is found is all that there is', async (t) => {
  const { resource } = aResource({ identity: 'key', validForMs: 86_400_000 }, { find: { id: { id: 'b' } } });
  t.deepEqual(await resource.findAll?.(owner, { signal }), [{ slot: '', id: { id: 'b' } }]);
  t.deepEqual(
    await aResource({ identity: 'key', validForMs: 86_400_000 }, { find: { id: null } }).resource.findAll?.(owner, {
      signal,
    }),
    [],
  );
});

const host = { host: { description: 'Name of the host.' } };
const password = { password: { description: 'Password.', secret: true } };

for (const [what, options, answer, message] of [
  [
    'a declared output that the id does not hold',
    { outputs: host },
    { id: { id: 'b' } },
    /create: id\.host must be a text/,
  ],
  ['an output that is not a text', { outputs: host }, { id: { id: 'b', host: 3 } }, /create: id\.host must be a text/],
  [
    'a declared key that the secret does not hold',
    { functions, outputs: password },
    { id: { id: 'b' }, secret: { a: 'b' } },
    /create: secret\.password is missing/,
  ],
  [
    'a secret that could not be asked for again',
    {},
    { id: { id: 'b' }, secret: { a: 'b' } },
    /a secret needs secretOf/,
  ],
  [
    'half a thing that nothing finishes',
    { functions: ['find'] },
    { id: { id: 'b' }, upToDate: false },
    /upToDate: false needs update/,
  ],
] as const)
  test(`${what} is reported, and the id is kept`, async (t) => {
    const { resource } = aResource(options, { create: answer });
    const error = await t.throwsAsync(resource.create({}, { owner, key: 'k', signal }), {
      instanceOf: ContractError,
      message,
    });
    t.deepEqual(error?.refs, [{ slot: '', id: answer.id }]);
  });

test('what is found, and a secret, hold the outputs too', async (t) => {
  const found = aResource({ outputs: host }, { find: { id: { id: 'b' } } }).resource;
  await t.throwsAsync(found.find!(owner, { signal }), { message: /find: id\.host/ });
  const secretive = aResource({ functions, outputs: password }, { secretOf: { secret: { a: 'b' } } }).resource;
  await t.throwsAsync(secretive.secretOf!({ id: 'b' }, { owner, signal }), {
    message: /secretOf: secret\.password is missing/,
  });
});
