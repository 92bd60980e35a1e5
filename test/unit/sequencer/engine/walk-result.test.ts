import test from 'ava';
import { ConflictError, NotFoundError, RetryError } from '../../../../sdk/index.ts';
import { type WalkEnd, walkResult } from '../../../../sequencer/engine/walk-result.ts';
import { aWorkspace } from '../../a-workspace.ts';

const stopped = AbortSignal.abort();
const { signal: running } = new AbortController();
const end = (given: Partial<WalkEnd>): WalkEnd => ({
  host: { stopping: running },
  signal: running,
  workspace: aWorkspace({ name: 'shop' }),
  retry: () => 1000,
  attempt: 0,
  errors: [],
  requeues: [],
  ...given,
});
const request = { method: 'GET', path: '/x', server: 's' };
const status = (code: number) => ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code }) as const;
const path = '/apis/se.quencer.io/v1alpha1/namespaces/default/workspaces/shop';
const gone = new NotFoundError(status(404), { ...request, path: `${path}/status?fieldManager=x` });
const missing = new NotFoundError(status(404), { ...request, path: '/api/v1/namespaces/default/configmaps/settings' });
const conflict = new ConflictError(status(409), request);
const late = new RetryError('later', { retryAfter: 5000 });
const broken = new TypeError('broken');

test('a walk without errors is due when the first of its conditions is', (t) => {
  t.deepEqual(walkResult(end({})), {});
  t.deepEqual(walkResult(end({ requeues: [300, 200] })), { requeueAfter: 200 });
});

test('a walk that has taken longer than its run may is due again at once; not when the process stops', (t) => {
  t.deepEqual(walkResult(end({ signal: stopped, requeues: [5000] })), { requeueAfter: 100 });
  t.deepEqual(walkResult(end({ signal: stopped, host: { stopping: stopped } })), {});
});

test('a deleted workspace is not an error, and neither is an abort by the stop', (t) => {
  t.deepEqual(walkResult(end({ errors: [gone] })), {});
  t.deepEqual(walkResult(end({ host: { stopping: stopped }, errors: [broken], requeues: [1] })), {});
});

test('another object that is missing is an error', (t) => {
  t.is(
    t.throws(() => walkResult(end({ errors: [gone, missing] })), { any: true }),
    missing,
  );
});

test('the gravest error is thrown: one without a time before one with, and a race last', (t) => {
  t.is(
    t.throws(() => walkResult(end({ errors: [conflict, late, broken] })), { any: true }),
    broken,
  );
  t.is(
    t.throws(() => walkResult(end({ errors: [conflict, late] })), { any: true }),
    late,
  );
  t.is(
    t.throws(() => walkResult(end({ errors: [gone, conflict] })), { any: true }),
    conflict,
  );
});

test('a failing condition does not delay one that is due earlier', (t) => {
  const error = t.throws(() => walkResult(end({ errors: [broken], requeues: [200] })), { instanceOf: RetryError });
  t.is(error?.retryAfter, 200);
  t.is(error?.cause, broken);
  t.is(
    t.throws(() => walkResult(end({ errors: [broken], requeues: [2000] })), { any: true }),
    broken,
  );
});

test('no integration has the workspace walked more than ten times a second: by its result or its error', (t) => {
  t.deepEqual(walkResult(end({ requeues: [0] })), { requeueAfter: 100 });
  for (const requeues of [[], [0], [5, 5000]]) {
    const soon = new RetryError('soon', { retryAfter: 0 });
    const error = t.throws(() => walkResult(end({ errors: [soon], requeues })), { instanceOf: RetryError });
    t.is(error?.retryAfter, 100);
    t.is(error?.cause, soon);
  }
  const error = t.throws(() => walkResult(end({ errors: [broken], requeues: [0] })), { instanceOf: RetryError });
  t.is(error?.retryAfter, 100);
});

test('a conflict is a race until there were twenty in a row; then the retry policy decides', (t) => {
  const waits: number[] = [];
  const retry = (_: unknown, attempt: number) => {
    waits.push(attempt);
    return 7000;
  };
  const failed = (attempt: number) => t.throws(() => walkResult(end({ errors: [conflict], attempt, retry })));
  t.is(failed(19), conflict);
  t.like(failed(20), { name: 'RetryError', retryAfter: 7000, cause: conflict });
  t.like(failed(25), { name: 'RetryError' });
  t.deepEqual(waits, [0, 5]);
});
