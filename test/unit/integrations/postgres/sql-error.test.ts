import test from 'ava';
import { callErrorOf } from '../../../../integrations/postgres/sql-error.ts';
import { ExternalAlreadyExistsError, ThrottledError } from '../../../../sdk/index.ts';
import { sqlError } from './a-server.ts';

const told = (error: unknown): string => {
  const { name, message } = callErrorOf(error) as Error;
  return `${name}: ${message}`;
};

test('a statement that the server refuses has had no effect', (t) => {
  t.is(told(sqlError('3D000', 'no such template')), 'DefiniteError: PostgreSQL says no such template (3D000)');
  t.is(told(sqlError('57014', 'statement timeout')), 'DefiniteError: PostgreSQL says statement timeout (57014)');
});

test('a server that is full, starting or locked is asked later', (t) => {
  for (const code of ['53300', '57P03', '55P03'])
    t.true(callErrorOf(sqlError(code, 'later')) instanceof ThrottledError, code);
});

test('a name that is taken is told apart, also when it was taken at the same moment', (t) => {
  for (const code of ['42710', '42P04', '23505'])
    t.true(callErrorOf(sqlError(code, 'taken')) instanceof ExternalAlreadyExistsError, code);
});

test('what ends the connection leaves the outcome open, whatever its code looks like', (t) => {
  for (const error of [
    sqlError('57P01', 'terminating connection'),
    sqlError('08006', 'connection failure'),
    sqlError('XX000', 'internal'),
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
    new Error('Connection terminated unexpectedly'),
  ])
    t.regex(told(error), /^Error: PostgreSQL /);
});

test('a refusal says what to do next, and its text is bounded', (t) => {
  const inUse = Object.assign(sqlError('55006', 'database "a" is being accessed'), {
    detail: 'There is 1 other session.',
  });
  t.is(
    told(inUse),
    'DefiniteError: PostgreSQL says database "a" is being accessed: There is 1 other session. (55006); end these connections, or set the option dropConnections',
  );
  const detail = `owner of table x\n`.repeat(10_000);
  const long = told(Object.assign(sqlError('2BP01', 'some objects depend on it'), { detail }));
  t.true(long.length < 700);
  t.true(long.endsWith('DROP OWNED BY the role in the databases named there'));
});

test('a server that says much in any field fills neither conditions nor logs', (t) => {
  const much = 'x\0'.repeat(100_000);
  for (const error of [sqlError(much, much), Object.assign(sqlError('42501', 'no'), { where: much })]) {
    const made = callErrorOf(error) as Error;
    t.true(made.message.length < 700);
    t.is(made.cause, undefined);
  }
  t.true((callErrorOf(sqlError('42501', 'no')) as Error).cause instanceof Error);
});

test('a code that is named like a member of every object has no advice', (t) => {
  t.is(told(sqlError('constructor', 'no')), 'DefiniteError: PostgreSQL says no (no SQLSTATE)');
});
