import test from 'ava';
import { ContractError, type Integration } from '../../../../../sdk/index.ts';
import { wrongFieldsIn } from '../../../../../sdk/provider/contract/call-validate.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const of = (validate?: unknown) =>
  wrongFieldsIn(
    { name: 'acme', condition: 'Acme', ...(validate !== undefined && { validate }) } as Integration,
    aWorkspace(),
  );
const one = { field: 'spec.x', message: 'spec.x: is wrong' };

test('fields are returned as they are; none without a validate', (t) => {
  t.deepEqual(of(), []);
  t.deepEqual(
    of(() => []),
    [],
  );
  t.deepEqual(
    of(() => [one]),
    [one],
  );
});

test('many and long mistakes are cut', (t) => {
  const long = { field: 'f'.repeat(5000), message: 'm'.repeat(5000) };
  const told = of(() => Array.from({ length: 500 }, () => long));
  t.is(told.length, 16);
  t.deepEqual([told[0]?.field.length, told[0]?.message.length], [300, 1024]);
});

for (const [what, validate, expected] of [
  [
    'throws',
    () => {
      throw new Error('a bug');
    },
    /validate must not throw; it threw a bug/,
  ],
  ['is asynchronous', async () => Promise.reject(new Error('late')), /validate must return \{ field, message \}\[\]/],
  ['answers a text', () => 'wrong', /validate must return \{ field, message \}\[\]; found "wrong"/],
  ['forgets the message', () => [{ field: 'spec' }], /must return/],
] as const)
  test(`a validate that ${what} is reported by the name of its integration`, (t) => {
    const error = t.throws(() => of(validate), { instanceOf: ContractError, message: expected });
    t.regex(error!.message, /acme/);
  });
