import test from 'ava';
import { echoOf, watchLineHead } from '../../../../../sdk/client/http/watch-line-head.ts';

const line = (type: string, metadata: object, rest: object = {}) =>
  Buffer.from(JSON.stringify({ type, object: { apiVersion: 'v1', kind: 'X', metadata, ...rest } }));

test('reads type and version off a line', (t) => {
  t.deepEqual(watchLineHead(line('ADDED', { name: 'a', resourceVersion: '12' })), { type: 'ADDED', version: '12' });
  t.deepEqual(watchLineHead(line('MODIFIED', { name: 'ä', resourceVersion: '7', uid: 'u' })), {
    type: 'MODIFIED',
    version: '7',
  });
});

test('is not sure of deletions, bookmarks, errors and lines with more than one version', (t) => {
  for (const type of ['DELETED', 'BOOKMARK', 'ERROR'])
    t.is(watchLineHead(line(type, { resourceVersion: '12' })), undefined);
  t.is(watchLineHead(line('ADDED', { labels: { resourceVersion: '12' }, resourceVersion: '13' })), undefined);
  t.is(
    watchLineHead(line('ADDED', { resourceVersion: '13' }, { spec: { ref: { resourceVersion: '12' } } })),
    undefined,
  );
  t.is(watchLineHead(line('ADDED', { name: 'a' })), undefined);
});

test('is not misled by a version quoted within a string', (t) => {
  const annotations = { last: '{"metadata":{"resourceVersion":"12"}}' };
  t.deepEqual(watchLineHead(line('ADDED', { annotations, resourceVersion: '13' })), { type: 'ADDED', version: '13' });
});

test('finds the object of an own write', (t) => {
  const mine = { name: 'a' };
  const answerOf = (version: string) => (version === '12' ? mine : undefined);
  t.deepEqual(echoOf(line('MODIFIED', { resourceVersion: '12' }), answerOf), { type: 'MODIFIED', object: mine });
  t.deepEqual(echoOf(line('MODIFIED', { resourceVersion: '12' }).toString(), answerOf)?.object, mine);
  t.is(echoOf(line('MODIFIED', { resourceVersion: '13' }), answerOf), undefined);
});
