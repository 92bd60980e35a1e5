import test from 'ava';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import { ExpiredError } from '../../../../../sdk/errors.ts';
import { answer, failure, podNamed, setUp } from '../scripted-server.ts';

const page = (names: readonly string[], token?: string) => ({
  metadata: { resourceVersion: '9', ...(token !== undefined && { continue: token }) },
  items: names.map((name) => ({ metadata: podNamed(name).metadata })),
});

const namesOf = ({ items }: { readonly items: readonly Pod[] }) => items.map(({ metadata }) => metadata.name);

test('pages are asked for until there are no more', async (t) => {
  const { server, client } = await setUp(t, ({ path }, response) =>
    answer(response, 200, path.includes('continue=') ? page(['b']) : page(['a'], 'next/page')),
  );
  const list = await client.list(Pod, { namespace: 'a', labels: 'x', consistency: 'any', pageSize: 1 });
  t.deepEqual(namesOf(list), ['a', 'b']);
  t.is(list.resourceVersion, '9');
  t.deepEqual(
    server.arrivals.map(({ path }) => path.split('?')[1]),
    ['labelSelector=x&limit=1&resourceVersion=0', 'labelSelector=x&limit=1&continue=next%2Fpage'],
  );
});

test('a list without items is empty', async (t) => {
  const { client } = await setUp(t, (_, response) => answer(response, 200, { ...page([]), items: null }));
  t.deepEqual(await client.list(Pod), { items: [], resourceVersion: '9' });
});

test('a list whose version is forgotten on the way starts over, once', async (t) => {
  const { server, client } = await setUp(t, ({ path }, response, nth) => {
    if (!path.includes('continue=')) return answer(response, 200, page([`first${nth}`], 'token'));
    return nth === 2 ? answer(response, 410, failure(410, 'Expired')) : answer(response, 200, page(['second']));
  });
  t.deepEqual(namesOf(await client.list(Pod)), ['first3', 'second']);
  t.is(server.arrivals.length, 4);
});

test('a list that never ends in time throws an ExpiredError', async (t) => {
  const { client } = await setUp(t, ({ path }, response) =>
    path.includes('continue=')
      ? answer(response, 410, failure(410, 'Expired'))
      : answer(response, 200, page(['a'], 'token')),
  );
  await t.throwsAsync(client.list(Pod), { instanceOf: ExpiredError });
});
