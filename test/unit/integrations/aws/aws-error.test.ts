import test from 'ava';
import { awsErrorOf, hasCode, isAwsError } from '../../../../integrations/aws/aws-error.ts';
import { DefiniteError, ExternalAlreadyExistsError, ThrottledError } from '../../../../sdk/index.ts';

const rules = { service: 'SQS', throttled: /^Later$/, exists: /^Exists$/, advice: { Denied: 'check the rights' } };
const awsError = (name: string, httpStatusCode: number, more: object = {}) =>
  Object.assign(new Error(`${name}!`), { name, $metadata: { httpStatusCode } }, more);

test('the codes of a service say what an error means', (t) => {
  t.true(awsErrorOf(awsError('Later', 400), rules) instanceof ThrottledError);
  t.true(awsErrorOf(awsError('Exists', 409), rules) instanceof ExternalAlreadyExistsError);
  t.true(awsErrorOf(awsError('Exists', 409), { ...rules, exists: /^$/ }) instanceof DefiniteError);
  const denied = awsErrorOf(awsError('Denied', 403), rules);
  t.true(denied instanceof DefiniteError);
  t.is((denied as Error).message, 'SQS says Denied! (Denied); check the rights');
});

test('an advice is only given for a code that has one', (t) => {
  t.is((awsErrorOf(awsError('constructor', 403), rules) as Error).message, 'SQS says constructor! (constructor)');
});

test('texts that come in place of a message are reported, three at most', (t) => {
  const error = awsErrorOf(awsError('Bad', 400, { message: '', messages: ['a', 'b', 'c', 'd'] }), rules);
  t.is((error as Error).message, 'SQS says a, b, c (Bad)');
});

test('an answer of 200 that cannot be read leaves the outcome open', (t) => {
  t.false(awsErrorOf(awsError('SyntaxError', 200), rules) instanceof DefiniteError);
});

test('only what the server sent has its code', (t) => {
  t.true(hasCode(awsError('NoSuchBucket', 404), 'NoSuchTagSet', 'NoSuchBucket'));
  t.false(hasCode(Object.assign(new Error('x'), { name: 'NoSuchBucket' }), 'NoSuchBucket'));
  t.false(isAwsError(Object.assign(new Error('x'), { $metadata: { attempts: 1 } })));
});
