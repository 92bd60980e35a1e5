import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../..');
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const named = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.[1]?.split(', ') ?? [])
  .filter((name) => name !== 'package');

test('every dependency has a line that says why it is here', (t) => {
  const all = Object.keys({ ...dependencies, ...devDependencies });
  t.deepEqual(
    all.filter((name) => !named.includes(name)),
    [],
  );
});

test('every package that has a line is installed', (t) => {
  t.deepEqual(
    named.filter((name) => !existsSync(join(root, 'node_modules', name))),
    [],
  );
});
