import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { UnreachableError } from '../../../../../sdk/errors.ts';
import { expires, tellClientStory } from '../client-story.ts';
import { startSubject, subjectOf } from '../real-subject.ts';

tellClientStory(test, 'kube-apiserver', startSubject);

test('kube-apiserver: a watch from a version that is forgotten throws an ExpiredError', async (t) => {
  const { server, client } = await subjectOf(t);
  await expires(t, client, async () => {
    await server.compact();
    await server.restart();
  });
});

test('kube-apiserver: one that no longer answers on open connections is noticed, by calls and by watches', async (t) => {
  const { server, client } = await subjectOf(t);
  const events = client.watch(ConfigMap, { idleTimeout: 2_000 })[Symbol.asyncIterator]();
  t.is((await events.next()).value?.type, 'ADDED');
  // undici keeps a connection idle for one turn: two of them, so that one is free.
  for (let nth = 0; nth < 2; nth += 1) await client.raw('GET', '/version');
  server.pause();
  const drained = (async () => {
    while (!(await events.next()).done);
  })();
  const call = client.create(ConfigMap, { metadata: { namespace: 'default', name: 'c' } }, { deadline: 1_000 });
  const error = await t.throwsAsync(call, { instanceOf: UnreachableError });
  t.false(error.notSent, 'whether it was carried out is not known');
  await t.throwsAsync(drained, { instanceOf: UnreachableError, message: /no data for 2000 ms/ });
  server.resume();
  t.true((await client.list(ConfigMap)).items.length > 0);
});

test('kube-apiserver: calls and watches end when it is killed, and work again when it is back', async (t) => {
  const { server, client } = await subjectOf(t);
  const events = client.watch(ConfigMap)[Symbol.asyncIterator]();
  await events.next();
  const drained = (async () => {
    while (!(await events.next()).done);
  })();
  await server.kill();
  await t.throwsAsync(drained, { instanceOf: UnreachableError });
  const refused = client.create(ConfigMap, { metadata: { namespace: 'default', name: 'c' } });
  t.true((await t.throwsAsync(refused, { instanceOf: UnreachableError })).notSent);
  await server.restart();
  t.true((await client.list(ConfigMap)).items.length > 0);
});
