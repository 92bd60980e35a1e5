import test from 'ava';
import schema from '../../../../integrations/http/hooks.schema.json' with { type: 'json' };
import { hooksProtocol, messageCheck } from '../../../../integrations/http/protocol.ts';

const mistakeIn = messageCheck();

test('the published schema is of this version of the protocol', (t) => {
  t.is(schema.title, hooksProtocol);
  t.is(schema.$defs.protocol.const, hooksProtocol);
});

test('each function has a request and an answer', (t) => {
  const names = schema.$defs.request.anyOf.map(({ $ref }) => $ref.replace(/^#\/\$defs\/(.*)Request$/, '$1'));
  for (const name of names) for (const part of ['Request', 'Answer']) t.true(`${name}${part}` in schema.$defs, name);
  t.is(names.length, 12);
});

const owner = { uid: 'u', namespace: 'n', workspace: 'w', condition: 'Box', mark: 'u/Box/' };

for (const [definition, valid, invalid] of [
  [
    'request',
    { protocol: hooksProtocol, function: 'find', owner, later: 1 },
    { protocol: 'hooks/v2', function: 'find', owner },
  ],
  [
    'createRequest',
    { protocol: hooksProtocol, function: 'create', owner, key: 'k', wanted: {} },
    { protocol: hooksProtocol, function: 'create', owner, key: 'k' },
  ],
  ['describeAnswer', { identity: 'key', functions: ['find'], validForMs: 1 }, { identity: 'uuid', functions: [] }],
  ['findAnswer', { id: null }, {}],
  [
    'findAllAnswer',
    {
      things: [
        { slot: 'left', id: { a: 1 } },
        { slot: '', id: { a: 2 } },
      ],
    },
    { things: [{ id: { a: 1 } }] },
  ],
  ['findAllAnswer', { things: [] }, { things: [{ slot: 'Left', id: { a: 1 } }] }],
  [
    'findAllAnswer',
    { things: Array(256).fill({ slot: 'a', id: { a: 1 } }) },
    { things: Array(257).fill({ slot: 'a', id: { a: 1 } }) },
  ],
  ['createAnswer', { id: { a: 1 }, ready: false }, { id: { a: 1 }, secrets: { a: 'b' } }],
  ['createAnswer', { id: { a: 1 }, secret: { 'tls.key': 'b' } }, { id: { a: 1 }, secret: { 'a b': 'c' } }],
  ['observeAnswer', { state: null }, { state: 'gone' }],
  ['updateAnswer', {}, { ok: true }],
  ['deleteAnswer', { gone: false }, { gone: 'yes' }],
  ['id', { id: 'a' }, {}],
  ['error', { error: { effect: 'none', message: 'no' } }, { error: 'no' }],
] as const)
  test(`${definition}: ${JSON.stringify(valid)}, but not ${JSON.stringify(invalid)}`, async (t) => {
    t.is(await mistakeIn(definition, valid), undefined);
    t.truthy(await mistakeIn(definition, invalid));
  });

test('members that a server does not know are allowed in requests, and in no answer', (t) => {
  const defs = Object.entries(schema.$defs) as [string, { additionalProperties?: unknown }][];
  for (const [name, { additionalProperties }] of defs)
    if (/Request$|Answer$|^error$/.test(name))
      t.is(additionalProperties, /Request$/.test(name) ? undefined : false, name);
});
