import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const program = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
await import(process.argv[1]);
console.log([...packages].join());
`;

/** Returns the packages loaded by importing an entry point, in a separate process. */
async function packagesOf(door: string): Promise<string> {
  const args = [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    program,
  ];
  const root = join(import.meta.dirname, '../../..');
  const { stdout } = await promisify(execFile)(process.execPath, [...args, join(root, door)], { cwd: root });
  return stdout.trim();
}

test('importing the cluster loads no package: what it needs of them is loaded on use', async (t) => {
  t.is(await packagesOf('test/cluster/index.ts'), '');
});

test('importing the SDK and the sequencer loads no HTTP client, and nothing for YAML', async (t) => {
  t.is(await packagesOf('sequencer/index.ts'), 'immer,async-mutex');
});
