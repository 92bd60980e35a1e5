import test from 'ava';
import {
  DrainError,
  ForbiddenError,
  InvalidError,
  LeadershipLostError,
  OperatorError,
  type Status,
  UnreachableError,
  UserError,
} from '../../../../../sdk/index.ts';
import { reportOf } from '../../../../../sequencer/cli/output/report.ts';

const request = { method: 'GET', path: '/version', server: 'https://127.0.0.1:6443' };
const aStatus = (message: string, details?: Status['details']): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  message,
  code: 422,
  ...(details && { details }),
});

test('a mistake of the user is one message and what to do', (t) => {
  const error = new UserError('E#2002', 'cannot read x.yaml', { hint: 'name a file\nor -' });
  t.deepEqual(reportOf(error, false), ['error E#2002: cannot read x.yaml', '  name a file', '  or -']);
});

test('a cluster that does not answer is reported by address, cause and request', (t) => {
  const cause = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:6443') });
  const [message, hint] = reportOf(new UnreachableError(request, cause, true), false);
  t.is(
    message,
    'error E#2020: https://127.0.0.1:6443 does not answer: connect ECONNREFUSED 127.0.0.1:6443 (tried GET /version)',
  );
  t.regex(hint!, /--kubeconfig and --context/);
});

test('missing rights are reported in the server’s words', (t) => {
  const words = 'pods is forbidden: User "u" cannot list resource "pods" in API group "" at the cluster scope';
  t.is(
    reportOf(new ForbiddenError(aStatus(words), request), false)[0],
    `error E#2021: https://127.0.0.1:6443 denies the request: ${words}`,
  );
});

test('credentials that are not good are not missing rights', (t) => {
  const status = { ...aStatus('Unauthorized'), code: 401, reason: 'Unauthorized' };
  t.regex(
    reportOf(new ForbiddenError(status, request), false)[1]!,
    /the server does not accept the credentials of the kubeconfig/,
  );
});

test('a refusal is reported field by field', (t) => {
  const causes = [{ field: 'spec.a', message: 'Required value' }, { message: 'and more' }];
  t.deepEqual(reportOf(new InvalidError(aStatus('no', { causes }), request), false).slice(1), [
    '  spec.a: Required value',
    '  and more',
  ]);
});

test('stacks, with their causes, are for debugging only', (t) => {
  const error = new TypeError('oops', { cause: new RangeError('deep') });
  t.deepEqual(reportOf(error, false), [
    'error E#2000: internal error: oops',
    '  run it again with --log-level debug, which shows the stack trace',
  ]);
  const lines = reportOf(error, true).join('\n');
  t.regex(lines, /TypeError: oops\n\s+at .*report\.test\.ts/);
  t.regex(lines, /caused by RangeError: deep/);
});

test('what several nested parts failed with is reported part by part, each with its own code', (t) => {
  const inner = new OperatorError([
    { name: 'sequencer', error: new UserError('E#1011', 'missing right: get', { hint: 'grant it' }) },
    { name: 'other', error: new DrainError('sequencer', ['default/shop']) },
  ]);
  const listen = Object.assign(new Error('listen EADDRINUSE 0.0.0.0:80'), { syscall: 'listen' });
  const error = new OperatorError([
    { name: 'leader election', error: inner },
    { name: 'leader election', error: new LeadershipLostError('the Lease a/b was not renewed') },
    { name: 'health server', error: listen },
  ]);
  const codes = reportOf(error, false).flatMap((line) => /^error (E#\d+)/.exec(line)?.[1] ?? []);
  t.deepEqual(codes, ['E#1011', 'E#2061', 'E#2060', 'E#2062']);
});
