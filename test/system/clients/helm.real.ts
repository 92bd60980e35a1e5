import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createScratch } from '../real/owned-process.ts';
import { run } from '../stories/programs.ts';
import { built } from './recipes.ts';
import { inMemory, type ServerProgram } from './servers.ts';

const chart = join(import.meta.dirname, 'chart');
const folder = built('helm');
const core = '/api/v1/namespaces/default';

/** Helm with a home of its own. */
function helmFor(t: ExecutionContext, { kubeconfigPath }: ServerProgram) {
  const scratch = createScratch('helm');
  t.teardown(scratch.remove);
  const env = { HOME: scratch.folder, KUBECONFIG: kubeconfigPath };
  return (...args: readonly string[]) => run(join(folder ?? '', 'helm'), args, { env });
}

interface Release {
  readonly name: string;
  readonly version: number;
  readonly info: { readonly status: string; readonly notes?: string };
}

async function scene(t: ExecutionContext) {
  const server = await inMemory.start();
  t.teardown(() => server.close());
  const helm = helmFor(t, server);
  const good = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await helm(...args);
    t.is(code, 0, `helm ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const release = async (...args: readonly string[]) => JSON.parse(await good(...args, '--output', 'json')) as Release;
  const dataOf = async (name: string) => {
    const { status, body } = await server.api.ask({ path: `${core}/configmaps/greeter-${name}` });
    return status === 200 ? (body as { data: Record<string, string> }).data : undefined;
  };
  const statusOf = async (path: string) => (await server.api.ask({ path })).status;
  return { server, helm, good, release, dataOf, statusOf };
}

const declare = folder === undefined ? test.skip : test.serial;
const waiting = ['--wait', '--timeout', '60s'];
const visitor = '/apis/chart.clients.example.com/v1/namespaces/default/visitors/greeter';

declare('Helm installs a chart with a definition and hooks, upgrades it, rolls back and uninstalls it', async (t) => {
  const { server, good, release, dataOf, statusOf } = await scene(t);
  const installed = await release('install', 'greeter', chart, ...waiting);
  t.like(installed, { version: 1, info: { status: 'deployed', notes: 'greeter says hello on Kubernetes v1.34.1\n' } });
  t.deepEqual(await dataOf('texts'), { text: 'hello', served: 'true' });
  t.deepEqual(await dataOf('pre-install'), { revision: '1' });
  const pod = (await server.api.ask({ path: `${core}/pods/greeter` })).body as { status: { phase: string } };
  t.is(pod.status.phase, 'Running', 'it waited');
  t.is(await statusOf(visitor), 200);

  t.is((await release('upgrade', 'greeter', chart, '--set', 'text=welcome', ...waiting)).version, 2);
  t.like(await dataOf('texts'), { text: 'welcome' });
  t.deepEqual(await dataOf('post-upgrade'), { revision: '2' });
  t.like((await server.api.ask({ path: visitor })).body, { spec: { name: 'welcome' } });

  t.regex(await good('rollback', 'greeter', '1', ...waiting), /Rollback was a success/);
  t.like(await dataOf('texts'), { text: 'hello' });
  t.deepEqual(await dataOf('post-rollback'), { revision: '1' }, 'made from the manifest of revision 1');
  const history = JSON.parse(await good('history', 'greeter', '--output', 'json')) as { status: string }[];
  t.deepEqual(
    history.map(({ status }) => status),
    ['superseded', 'superseded', 'deployed'],
  );
  t.like(JSON.parse(await good('list', '--output', 'json')), [{ name: 'greeter', revision: '3', status: 'deployed' }]);

  t.is(await good('uninstall', 'greeter', ...waiting), 'release "greeter" uninstalled\n');
  t.deepEqual(await dataOf('pre-delete'), { revision: '1' });
  for (const path of [`${core}/pods/greeter`, `${core}/services/greeter`, visitor])
    t.is(await statusOf(path), 404, path);
  t.is(await dataOf('texts'), undefined);
  t.is(await good('list', '--all', '--short'), '');
  t.is(await statusOf('/apis/chart.clients.example.com/v1/visitors'), 200, 'definitions stay');
});

declare('Helm shows what the server refuses, and leaves a failed release behind', async (t) => {
  const { helm, good, release } = await scene(t);
  const { code, stderr } = await helm('install', 'greeter', chart, '--set', 'text=');
  t.is(code, 1);
  t.regex(
    stderr,
    /Visitor\.chart\.clients\.example\.com "greeter" is invalid: spec\.name: Invalid value: "": spec\.name in body should be at least 1 chars long/,
  );
  t.like(JSON.parse(await good('list', '--all', '--output', 'json')), [{ name: 'greeter', status: 'failed' }]);
  t.is((await release('upgrade', '--install', 'greeter', chart, '--reset-values', ...waiting)).info.status, 'deployed');
});
