import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const program = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined || url.startsWith('node:')) loaded.add(name ?? url);
    return next(url, context);
  },
});
await import(process.argv[1]);
console.log([...loaded].join());
`;

/** Returns the packages, and the modules of Node as `node:NAME`, loaded by importing an entry point in a separate process. */
async function loadedBy(door: string): Promise<readonly string[]> {
  const args = [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    program,
  ];
  const root = join(import.meta.dirname, '../../..');
  const { stdout } = await promisify(execFile)(process.execPath, [...args, join(root, door)], { cwd: root });
  return stdout.trim().split(',');
}

const packages = (loaded: readonly string[]) => loaded.filter((name) => !name.startsWith('node:'));

test('importing the cluster loads no package: what it needs of them is loaded on use', async (t) => {
  t.deepEqual(packages(await loadedBy('test/cluster/index.ts')), []);
});

test('importing the SDK and the sequencer loads no HTTP client, nothing for YAML, and no module of Node that takes long', async (t) => {
  const loaded = await loadedBy('sequencer/index.ts');
  t.deepEqual(packages(loaded), ['immer', 'async-mutex']);
  const slow = ['node:crypto', 'node:net', 'node:util', 'node:http', 'node:https', 'node:tls'];
  t.deepEqual(
    loaded.filter((name) => slow.includes(name)),
    [],
    'see sdk/node-builtins.ts',
  );
});
