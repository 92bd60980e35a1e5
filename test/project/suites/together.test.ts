import test, { type TestFn } from 'ava';
import { Declarations, sharing } from './together.ts';

/** Returns a fake `test` that records its calls once they are declared. */
function recorder() {
  const calls: unknown[][] = [];
  const says = (name: string) =>
    Object.assign((...args: unknown[]) => void calls.push([name, ...args]), {
      skip: (...args: unknown[]) => void calls.push([`${name}.skip`, ...args]),
    });
  const serial = Object.assign(says('serial'), { beforeEach: says('serial.beforeEach') });
  const macro = (exec: unknown) => ({ exec });
  const recorded = Object.assign(says('test'), { serial, macro, after: says('after'), beforeEach: says('beforeEach') });
  const declarations = new Declarations();
  return { calls, declarations, shared: sharing(recorded as unknown as TestFn, declarations) };
}

const body = () => {};

test('titles begin with the file, and one test runs at a time', (t) => {
  const { calls, declarations, shared } = recorder();
  declarations.file = 'here';
  shared('one', body);
  shared.serial('two', body);
  declarations.file = 'there';
  shared.skip('three', body);
  shared.serial.skip('four', body);
  t.deepEqual(calls, []);
  declarations.declare();
  t.deepEqual(calls, [
    ['serial', 'here › one', body],
    ['serial', 'here › two', body],
    ['serial.skip', 'there › three', body],
    ['serial.skip', 'there › four', body],
  ]);
});

test('macros and what happens after all tests stay what they are', (t) => {
  const { calls, declarations, shared } = recorder();
  const macro = shared.macro(body);
  shared(macro);
  shared.after(body);
  declarations.declare();
  t.deepEqual(calls, [
    ['serial', { exec: body }],
    ['after', body],
  ]);
});

test('a file that waits between two tests is refused, as AVA does where it runs alone', async (t) => {
  const { declarations, shared } = recorder();
  declarations.file = 'here';
  shared('one', body);
  await new Promise((resolve) => setImmediate(resolve));
  t.throws(() => shared('two', body), { message: 'here: tests are declared at once; await before the first one' });
  declarations.file = 'there';
  shared('three', body);
});

test('hooks that would run around tests of other files are refused, with what to do', (t) => {
  const { declarations, shared } = recorder();
  declarations.file = 'here';
  const message = 'here: test.beforeEach would reach into other files; await at top level';
  t.throws(() => shared.beforeEach(body), { message });
  t.throws(() => shared.serial.beforeEach(body), { message });
});
