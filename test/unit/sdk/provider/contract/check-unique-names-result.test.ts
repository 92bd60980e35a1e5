import test from 'ava';
import { ContractError, type Integration } from '../../../../../sdk/index.ts';
import { checkUniqueNamesResult } from '../../../../../sdk/provider/contract/check-unique-names-result.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const check = (uniqueNames?: unknown) =>
  checkUniqueNamesResult(
    { name: 'acme', condition: 'Acme', ...(uniqueNames !== undefined && { uniqueNames }) } as Integration,
    aWorkspace(),
  );

test('a list of texts within the limits is right, and so is not a function', (t) => {
  t.notThrows(() => check());
  t.notThrows(() => check(() => []));
  t.notThrows(() => check(() => Array.from({ length: 256 }, (_, index) => `${index}`.padEnd(1024, 'x'))));
});

for (const [what, uniqueNames, message] of [
  [
    'throws',
    () => {
      throw new Error('a bug');
    },
    /uniqueNames must not throw; it threw a bug$/,
  ],
  ['is asynchronous', async () => Promise.reject(new Error('late')), /must return an array of texts; found a Promise$/],
  ['answers a text', () => 'www', /uniqueNames must return an array of texts; found "www"$/],
  ['answers an empty name', () => ['www', ''], /uniqueNames: name 1 must be text of 1 to 1024 characters; found ""$/],
  ['answers too many', () => Array.from({ length: 257 }, String), /must return at most 256 names; found 257$/],
] as const)
  test(`uniqueNames that ${what} is reported by the name of its integration`, (t) => {
    const error = t.throws(() => check(uniqueNames), { instanceOf: ContractError, message });
    t.regex(error!.message, /^integration "acme" \(condition Acme\): uniqueNames/);
  });
