// Uses the packed package on the newest Node, on Bun and on Deno: a walk over TLS, the test kit, and the command line.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packed package, and a project with an integration and its test of the kit. */
export interface Users {
  readonly tarball: string;
  /** Folder for a project of its own. */
  readonly folder: string;
  readonly plugIn: string;
  run(folder: string, command: string, ...args: readonly string[]): void;
}

const platform = `${process.platform}-${process.arch}`;

/** Packages that bring the runtimes, and the commands that run a program and a test by them. */
const runtimes = [
  { library: `node@npm:node-${platform}@26`, program: 'node/bin/node', runs: [], tests: ['--test'] },
  { library: 'bun@1', program: '.bin/bun', runs: [], tests: ['test', '--timeout', '60000'] },
  { library: 'deno@2', program: '.bin/deno', runs: ['run', '-A'], tests: ['test', '-A'] },
] as const;

/** Program that walks a workspace to Ready and back over TLS, and that is refused by a server whose CA it does not know. */
const walk = `import { createClient, defineIntegration, ensureCrds, isDeleting, loadConnection, Namespace, Workspace } from 'workspace-sequencer/sdk';
import { createSequencer } from 'workspace-sequencer/sequencer';
import { createCluster } from 'workspace-sequencer/test';

const kept = new Set();
const keeper = defineIntegration({
  name: 'keeper',
  condition: 'Kept',
  handles: () => true,
  connect: ({ controller }) => ({
    async reconcile() {
      if (controller.condition.status === 'Completed') return;
      await controller.guard('keeping', async ({ key }) => {
        kept.add(key);
        return { status: 'Completed', reason: 'kept', refs: [{ key }] };
      });
    },
    async terminate() {
      if (controller.condition.status === 'Terminated') return;
      await controller.guard('dropping', async ({ refs }) => {
        for (const { key } of refs) kept.delete(key);
        return { status: 'Terminated', reason: 'dropped', refs: [] };
      });
    },
  }),
});
const expect = (holds, otherwise) => {
  if (!holds) throw new Error(otherwise);
};
const clusters = [await createCluster(), await createCluster()];
const [yaml, otherYaml] = await Promise.all(clusters.map(async (one) => (await one.listen()).kubeconfigYaml()));
const connect = async (text) => createClient({ connection: await loadConnection({ kubeconfig: { yaml: text } }) });
const client = await connect(yaml);
await ensureCrds(client, [Workspace]);
const stop = new AbortController();
const running = createSequencer({ client, integrations: [keeper] }).run(stop.signal);
const shop = { name: 'shop', namespace: 'default' };
await client.create(Workspace, { metadata: shop, spec: {} });
for await (const event of client.watch(Workspace)) {
  if (event.type === 'DELETED') break;
  if (event.type === 'BOOKMARK' || isDeleting(event.object)) continue;
  if (!event.object.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) continue;
  expect(kept.size === 1, \`Ready with \${kept.size}\`);
  await client.delete(Workspace, shop);
}
expect(kept.size === 0, \`gone with \${kept.size}\`);
stop.abort();
await running;

const ca = (text) => /certificate-authority-data: (\\S+)/.exec(text)[1];
const stranger = await connect(yaml.replace(ca(yaml), ca(otherYaml)));
const refused = await stranger.list(Namespace, { deadline: 2000 }).then(() => false, ({ name }) => name === 'UnreachableError');
expect(refused, 'a server of another CA was trusted');
await Promise.all([client, stranger, ...clusters].map((one) => one.close()));
console.log('walked to Ready and back over TLS');
`;

/** Installs the runtimes beside the package and uses it with each; throws when a command fails. */
export function proveRuntimes({ tarball, folder, plugIn, run }: Users): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'users', private: true, type: 'module' }));
  writeFileSync(join(folder, 'walk.js'), walk);
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball, ...runtimes.map(({ library }) => library));
  const command = 'node_modules/workspace-sequencer/dist/sequencer/cli/main.js';
  for (const { program, runs, tests } of runtimes) {
    const runtime = join(folder, 'node_modules', program);
    run(folder, runtime, '--version');
    run(folder, runtime, ...runs, 'walk.js');
    run(plugIn, runtime, ...tests, 'acme-mail.test.ts');
    run(plugIn, runtime, ...runs, command, 'dev', '--once', 'workspace.yaml');
  }
}
