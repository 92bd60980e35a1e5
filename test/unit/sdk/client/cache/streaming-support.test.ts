import test from 'ava';
import { SilentListError, StreamingSupport } from '../../../../../sdk/client/cache/streaming-support.ts';
import { ApiError } from '../../../../../sdk/errors.ts';

const refusal = (code: number) =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', code }, { method: 'GET', path: '/x', server: 'http://a.test' });

test('a silent list is replaced that time, and the third in a row for good', (t) => {
  const support = new StreamingSupport(true);
  t.true(support.recordFailure(new SilentListError()));
  t.true(support.recordFailure(new SilentListError()));
  support.recordList();
  for (const isSupported of [true, true, false]) {
    t.true(support.recordFailure(new SilentListError()));
    t.is(support.isSupported, isSupported);
  }
});

test('a refusal of the parameter is for good, and other failures say nothing', (t) => {
  for (const code of [400, 422]) {
    const support = new StreamingSupport(true);
    t.false(support.recordFailure(new Error('reset')));
    t.false(support.recordFailure(refusal(500)));
    t.true(support.isSupported);
    t.true(support.recordFailure(refusal(code)));
    t.false(support.isSupported);
  }
  t.false(new StreamingSupport(false).isSupported);
});
