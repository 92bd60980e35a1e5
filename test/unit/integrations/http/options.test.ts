import test from 'ava';
import {
  checkedClientOptions,
  checkedHooksOptions,
  type HttpHooksOptions,
} from '../../../../integrations/http/options.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { boxOptions, secret } from './subject.ts';

const checked = (options: unknown) => checkedHooksOptions(options as HttpHooksOptions);

test('what is left out gets its default', (t) => {
  t.like(checked({ ...boxOptions, url: 'https://hooks.test/boxes/' }), {
    url: 'https://hooks.test/boxes',
    label: 'acme-box',
    functions: ['find', 'observe', 'update'],
    after: [],
    several: false,
    outputs: {},
    validForMs: 0,
    deadline: 10_000,
    concurrency: 4,
    driftInterval: 300_000,
    maxRequest: undefined,
    listLag: 0,
    limits: { rate: 20, burst: 20 },
    fetch: globalThis.fetch,
    secrets: [secret, secret.slice(6)],
  });
  t.deepEqual(checked({ ...boxOptions, identity: 'opaque' }).functions, ['observe', 'update']);
});

test('several secrets are keys while one replaces another', (t) => {
  t.is(checked({ ...boxOptions, secret: [secret, secret] }).keys.length, 2);
});

test('a client for tools takes its own options only', (t) => {
  const { name, url } = boxOptions;
  t.like(checkedClientOptions({ name, url, secret }), { name, url, deadline: 10_000 });
  t.throws(() => checkedClientOptions(boxOptions), { message: /options: condition is not an option/ });
});

const host = { description: 'Host.' };

test('of several things each has the outputs', (t) => {
  const { outputs } = checked({ ...boxOptions, several: true, outputs: { host } });
  const spec = { integrations: { 'acme-box': [{ name: 'left' }, { name: 7 }, 'right'] } };
  t.like(outputs.host, host);
  t.deepEqual(outputs.host?.each?.(aWorkspace({ spec })), ['left']);
  t.is(checked({ ...boxOptions, outputs: { host } }).outputs.host?.each, undefined);
});

const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };

for (const [why, options, message] of [
  ['nothing', undefined, /options must be an object/],
  ['an unknown option', { ...boxOptions, uri: 'x' }, /options: uri is not an option; known are name, url, secret/],
  ['no name', { ...boxOptions, name: undefined }, /name must be a DNS label/],
  ['no address', { ...boxOptions, url: 'hooks' }, /url must be an address/],
  ['a credential in the address', { ...boxOptions, url: 'https://a:b@hooks.test' }, /url must be an address/],
  ['no secret', { ...boxOptions, secret: undefined }, /secret must be whsec_ and 24 to 64 bytes/],
  ['a short secret', { ...boxOptions, secret: 'whsec_c2hvcnQ=' }, /secret must be whsec_ and 24 to 64 bytes/],
  ['no secret at all', { ...boxOptions, secret: [] }, /secret must be whsec_/],
  [
    'no identity',
    { ...boxOptions, identity: undefined },
    /identity must be one of name, tag, key, opaque, not "nothing"/,
  ],
  ['a name without find', { ...boxOptions, functions: ['observe'] }, /functions must be with find/],
  ['opaque with find', { ...boxOptions, identity: 'opaque', functions: ['find'] }, /functions must be without find/],
  ['several as a text', { ...boxOptions, several: 'yes' }, /several must be true or false/],
  [
    'more outputs of each of several',
    { ...boxOptions, several: true, outputs: Object.fromEntries([...'abcdefghi'].map((one) => [one, host])) },
    /outputs must be 8 at most where several is true/,
  ],
  [
    'things of an output',
    { ...boxOptions, outputs: { host: { ...host, each: () => [] } } },
    /outputs must be without each/,
  ],
  [
    'findAll without find',
    { ...boxOptions, identity: 'key', validForMs: 100, functions: ['findAll'] },
    /functions must be with find, where/,
  ],
  ['a late find without observe', { ...boxOptions, functions: ['find'], listLag: 9 }, /functions must be with observe/],
  [
    'an unknown function',
    { ...boxOptions, functions: ['find', 'create'] },
    /functions must be a list of find, findAll, observe, update/,
  ],
  ['a key without its time', { ...boxOptions, identity: 'key' }, /validForMs must be a whole number/],
  [
    'a time of a key in seconds',
    { ...boxOptions, identity: 'key', validForMs: 60 },
    /validForMs must be a whole number from 100/,
  ],
  ['a time without a key', { ...boxOptions, validForMs: 1 }, /validForMs must be left out unless/],
  ['a schema that is none', { ...boxOptions, schema: [] }, /schema must be a JSON Schema/],
  ['a pattern', { ...boxOptions, schema }, /schema must be without patterns \(properties\.name\.pattern\)/],
  ['a CA that is none', { ...boxOptions, ca: 'PEM' }, /ca must be certificates as PEM/],
  ['a CA beside a fetch', { ...boxOptions, ca: 'PEM', fetch }, /ca must be left out if fetch is given/],
  ['a deadline in words', { ...boxOptions, deadline: '1s' }, /deadline must be a whole number from 1/],
  ['a label of two lines', { ...boxOptions, label: 'a\nb' }, /label must be a text/],
] as const)
  test(`${why} is refused by name`, (t) => {
    const error = t.throws(() => checked(options), { instanceOf: TypeError, message });
    t.false(error?.message.includes(secret));
  });
