/** Runs several test files in one AVA worker. */

import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestFn } from 'ava';
import { nameOf, suites } from './partition.ts';

const root = join(import.meta.dirname, '../../..');
const sharedTest = new URL('shared-test.ts', import.meta.url).href;

/** Hooks that AVA would run around the tests of all files of a worker. */
const farReaching: readonly PropertyKey[] = ['before', 'beforeEach', 'afterEach'];

type Declare = (...args: unknown[]) => unknown;

/** Test files that share a worker: the one that is loaded, and what they declare, in order. */
export class Declarations {
  /** The name of the file. */
  file = 'outside of any file';

  readonly #declared: (() => void)[] = [];
  #begun: string | undefined;

  /** Adds a declaration of the present file. @throws Error once the file has waited since its first one: AVA takes no more of it then, where it runs alone */
  add(declare: () => void): void {
    const { file } = this;
    if (this.#begun === file) throw new Error(`${file}: tests are declared at once; await before the first one`);
    process.nextTick(() => {
      this.#begun = file;
    });
    this.#declared.push(declare);
  }

  /** Declares all at once: AVA begins with the first one, and takes no more after that. */
  declare(): void {
    for (const declare of this.#declared) declare();
  }
}

function inFile(declare: Declare, declarations: Declarations): Declare {
  return new Proxy(declare, {
    apply(target, self, [title, ...rest]) {
      const named = typeof title === 'string' ? `${declarations.file} › ${title}` : title;
      declarations.add(() => Reflect.apply(target, self, [named, ...rest]));
    },
    get(target, key) {
      if (farReaching.includes(key))
        throw new Error(`${declarations.file}: test.${String(key)} would reach into other files; await at top level`);
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' && key !== 'macro' ? inFile(member as Declare, declarations) : member;
    },
  });
}

/**
 * Wraps AVA's `test` for files that share a worker: titles begin with the file, and tests run serially, so that none delays another past its
 * deadline.
 */
export function sharing(test: TestFn, declarations: Declarations): TestFn {
  const [usual, serial] = [test, test.serial].map((declare) => inFile(declare as unknown as Declare, declarations)) as [
    Declare,
    Declare,
  ];
  const shared: Declare = new Proxy(serial, {
    get: (_, key) => (key === 'serial' ? shared : Reflect.get(key in test.serial ? serial : usual, key)),
  });
  return shared as unknown as TestFn;
}

/** Declarations of the files of this worker. */
export const declarations = new Declarations();

/** Declares all tests of a worker's files; called by a file of `workers`, with its name. */
export async function runTogether(worker: string): Promise<void> {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'ava' && context.parentURL !== sharedTest
        ? { url: sharedTest, shortCircuit: true }
        : next(specifier, context),
  });
  for (const file of suites().get(basename(worker)) ?? []) {
    declarations.file = nameOf(file);
    await import(pathToFileURL(join(root, file)).href);
  }
  declarations.declare();
}
