import test from 'ava';
import { pageHeaders, pageTargetOf } from '../../../../sequencer/page/page-requests.ts';

const rules = { loopback: true, actions: new Set(['plan', 'control/kill']) };
const host = '127.0.0.1:4000';
const authorization = 'Bearer abcdefghijklmnop';
const ask = (method: string, url: string, headers: Record<string, string> = {}) =>
  pageTargetOf({ method, url, headers: { host, ...headers } }, rules);
const status = (route: ReturnType<typeof ask>) => (route.kind === 'refused' ? route.status : route.kind);

test('the page itself needs no token, all else does', (t) => {
  t.deepEqual(ask('GET', '/'), { kind: 'asset', path: '/' });
  t.is(status(ask('POST', '/')), 405);
  t.is(status(ask('GET', '/api/live')), 401);
  t.is(status(ask('GET', '/api/live', { authorization: 'Basic abc' })), 401);
  t.is(status(ask('GET', '/api/live', { authorization: `Bearer ${'a'.repeat(20_000)}` })), 401);
  t.is(status(ask('GET', '/api/live?token=abcdefghijklmnop')), 401, 'a token in the address is none');
  t.deepEqual(ask('GET', '/api/live?workspace=a%2Fb', { authorization }), {
    kind: 'live',
    token: 'abcdefghijklmnop',
    workspace: 'a/b',
  });
});

test('a foreign name that leads to this machine is refused', (t) => {
  for (const foreign of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '', '10.0.0.1:4000'])
    t.is(status(ask('GET', '/', { host: foreign })), 421, foreign);
  for (const own of ['localhost', 'localhost:4000', '[::1]:4000', '127.0.0.1'])
    t.is(status(ask('GET', '/', { host: own })), 'asset', own);
  const open = pageTargetOf(
    { method: 'GET', url: '/', headers: { host: 'page.example' } },
    { ...rules, loopback: false },
  );
  t.is(status(open), 'asset');
});

test('actions are by POST, from this very page or from a program', (t) => {
  t.is(status(ask('POST', '/api/plan', { authorization })), 'action');
  t.is(status(ask('POST', '/api/plan', { authorization, origin: `http://${host}` })), 'action');
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:4001'])
    t.is(status(ask('POST', '/api/plan', { authorization, origin })), 403, origin);
  t.is(status(ask('GET', '/api/plan', { authorization })), 405);
  t.is(status(ask('POST', '/api/other', { authorization })), 404);
  t.is(status(ask('POST', '/api/live', { authorization })), 405);
});

test('a read-only page has no actions at all', (t) => {
  const none = { loopback: false, actions: new Set<string>() };
  const headers = { host, authorization };
  t.is(status(pageTargetOf({ method: 'POST', url: '/api/control/kill', headers }, none)), 404);
});

test('paths that are none are refused', (t) => {
  for (const url of ['http://evil.example/', '//', '*', '']) t.not(status(ask('GET', url)), 'live', url);
  t.is(status(ask('GET', '*')), 400);
});

test('nothing is run or loaded from elsewhere', (t) => {
  const policy = pageHeaders['content-security-policy'] ?? '';
  t.regex(policy, /default-src 'none'/);
  t.notRegex(policy, /unsafe|\*|https?:/);
});
