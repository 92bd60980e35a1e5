import test, { type TestFn } from 'ava';
import { sharing } from './together.ts';

/** Returns a fake `test` that records its calls. */
function recorder() {
  const calls: unknown[][] = [];
  const says = (name: string) =>
    Object.assign(
      (...args: unknown[]) => {
        calls.push([name, ...args]);
      },
      { skip: (...args: unknown[]) => void calls.push([`${name}.skip`, ...args]) },
    );
  const serial = Object.assign(says('serial'), { beforeEach: says('serial.beforeEach') });
  const macro = (exec: unknown) => ({ exec });
  const recorded = Object.assign(says('test'), { serial, macro, after: says('after'), beforeEach: says('beforeEach') });
  return { calls, shared: sharing(recorded as unknown as TestFn, () => 'here') };
}

const body = () => {};

test('titles begin with the file, and one test runs at a time', (t) => {
  const { calls, shared } = recorder();
  shared('one', body);
  shared.serial('two', body);
  shared.skip('three', body);
  shared.serial.skip('four', body);
  t.deepEqual(calls, [
    ['serial', 'here › one', body],
    ['serial', 'here › two', body],
    ['serial.skip', 'here › three', body],
    ['serial.skip', 'here › four', body],
  ]);
});

test('macros and what happens after all tests stay what they are', (t) => {
  const { calls, shared } = recorder();
  const macro = shared.macro(body);
  shared(macro);
  shared.after(body);
  t.deepEqual(calls, [
    ['serial', { exec: body }],
    ['after', body],
  ]);
});

test('hooks that would run around tests of other files are refused, with what to do', (t) => {
  const { shared } = recorder();
  const message = 'here: test.beforeEach would reach into other files; list the file in alone';
  t.throws(() => shared.beforeEach(body), { message });
  t.throws(() => shared.serial.beforeEach(body), { message });
});
