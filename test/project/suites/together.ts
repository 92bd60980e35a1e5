/** Runs several test files in one AVA worker. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import type { TestFn } from 'ava';
import { nameOf, suites } from './partition.ts';

const root = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);
const sharedTest = new URL('shared-test.ts', import.meta.url).href;
const declaring = new AsyncLocalStorage<string>();

/** Hooks that AVA would run around the tests of all files of a worker. */
const farReaching: readonly PropertyKey[] = ['before', 'beforeEach', 'afterEach'];

type Declare = (...args: unknown[]) => unknown;

function inFile(declare: Declare, file: () => string): Declare {
  return new Proxy(declare, {
    apply: (target, self, [title, ...rest]) =>
      Reflect.apply(target, self, [typeof title === 'string' ? `${file()} › ${title}` : title, ...rest]),
    get(target, key) {
      if (farReaching.includes(key))
        throw new Error(`${file()}: test.${String(key)} would reach into other files; list the file in alone`);
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? inFile(member as Declare, file) : member;
    },
  });
}

/**
 * Wraps AVA's `test` for files that share a worker: titles begin with the file, and tests run serially, so that none delays another past its
 * deadline.
 */
export function sharing(test: TestFn, file: () => string): TestFn {
  const [usual, serial] = [test, test.serial].map((declare) => inFile(declare as unknown as Declare, file)) as [
    Declare,
    Declare,
  ];
  const shared: Declare = new Proxy(serial, {
    get: (_, key) => (key === 'serial' ? shared : Reflect.get(key in test.serial ? serial : usual, key)),
  });
  return shared as unknown as TestFn;
}

/** Returns the name of the test file that is being loaded. */
export const loading = (): string => declaring.getStore() ?? 'outside of any file';

/** Declares all tests of a worker's files; called by a file of `workers`, with its name. */
export function runTogether(worker: string): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'ava' && context.parentURL !== sharedTest
        ? { url: sharedTest, shortCircuit: true }
        : next(specifier, context),
  });
  for (const file of suites().get(basename(worker)) ?? []) declaring.run(nameOf(file), () => require(join(root, file)));
}
