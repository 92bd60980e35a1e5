import test from 'ava';
import { checkedCodeHostOptions, headerOf, readDelivery } from '../../../../integrations/code-host/options.ts';

const usual = { url: 'https://api.github.com', name: 'github.com' };
const token = 'a-token-that-nobody-sees';

test('the host is named by its address', (t) => {
  t.like(checkedCodeHostOptions('gitHub', { token }, usual), { name: 'github.com', deadline: 10_000, concurrency: 4 });
  t.is(checkedCodeHostOptions('gitHub', { token, url: 'https://git.acme.test/api/v3/' }, usual).name, 'git.acme.test');
});

for (const [options, message] of [
  [{}, /gitHub: token must be/],
  [{ token, secret: 'short' }, /secret must be a text of 16 to 4096 characters/],
  [{ token, url: 'ftp://x' }, /url must be an address/],
  [{ token, login: 'a b' }, /login must be a login/],
  [{ token, fetch: 1 }, /fetch must be a function/],
  [{ token, tokens: 1 }, /tokens/],
] as const)
  test(`a mistake is reported: ${message.source}`, (t) => {
    const error = t.throws(() => checkedCodeHostOptions('gitHub', options as never, usual), {
      name: 'TypeError',
      message,
    });
    t.false(error?.message.includes(token));
  });

test('a header that is missing, empty or given twice has no value', (t) => {
  const headers = { a: 'x', b: '', c: ['x', 'y'] };
  t.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => headerOf({ headers, body: Buffer.from('') }, name)),
    ['x', undefined, undefined, undefined],
  );
});

test('a delivery needs an id, and JSON', (t) => {
  const read = (headers: Record<string, string>, body: string) => () =>
    readDelivery({ headers, body: Buffer.from(body) }, 'id');
  t.throws(read({}, '{}'), { message: /header id is missing/ });
  t.throws(read({ id: '1' }, 'x=1'), { message: /application\/json/ });
  t.is(read({ id: '1' }, '{}')(), undefined);
});
