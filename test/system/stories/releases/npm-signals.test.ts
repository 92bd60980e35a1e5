import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createCluster } from '../../../cluster/index.ts';
import { root } from '../programs.ts';

/** Runs the script `cluster` by npm in a process group; resolves with npm and the file of its kubeconfig, which a clean end removes. */
async function startByNpm(t: ExecutionContext): Promise<{ readonly npm: ChildProcess; readonly kubeconfig: string }> {
  const npm = spawn('npm', ['run', 'cluster'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  t.teardown(() => killGroup(npm, 'SIGKILL'));
  let printed = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const [, kubeconfig] = /^kubeconfig {2}(\S+)\n/m.exec(printed) ?? [];
    if (kubeconfig !== undefined) return { npm, kubeconfig };
  }
  throw new Error(`ended without a kubeconfig: ${printed}`);
}

/** Sends a signal to npm and all that it runs, as a terminal does. */
function killGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // all have ended
  }
}

const sendings: Readonly<Record<string, (npm: ChildProcess) => void>> = {
  'SIGTERM to npm alone': (npm) => void npm.kill('SIGTERM'),
  'SIGHUP to npm alone': (npm) => void npm.kill('SIGHUP'),
  'SIGKILL to npm alone': (npm) => void npm.kill('SIGKILL'),
  'Ctrl-C': (npm) => killGroup(npm, 'SIGINT'),
};
const runsOn = process.platform === 'win32' ? test.skip : test.serial;
for (const [what, send] of Object.entries(sendings))
  runsOn(`${what} ends what npm runs, cleanly`, async (t) => {
    t.timeout(120_000, 'what npm runs does not end');
    const { npm, kubeconfig } = await startByNpm(t);
    t.true(existsSync(kubeconfig));
    send(npm);
    while (existsSync(kubeconfig)) await delay(50);
    t.false(existsSync(kubeconfig));
  });

/** Begins a controller's project as the scaffold does, with this checkout for the package. */
function aController(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'controller-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, 'templates/controller'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/workspace-sequencer'), 'dir');
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'), 'dir');
  const scripts = { operator: 'node --conditions=source operator.ts' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  return folder;
}

for (const what of ['SIGTERM to npm alone', 'Ctrl-C'])
  runsOn(`${what} ends a new controller’s operator`, async (t) => {
    t.timeout(120_000, 'what npm runs does not end');
    const cluster = await createCluster();
    t.teardown(() => cluster.close());
    const folder = aController(t);
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, (await cluster.listen()).kubeconfigYaml());
    const npm = spawn('npm', ['run', 'operator'], {
      cwd: folder,
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    t.teardown(() => killGroup(npm, 'SIGKILL'));
    let printed = '';
    // The output ends with the last process that has it.
    for await (const chunk of npm.stdout) {
      printed += chunk;
      if (printed.includes('reconciling Websites')) sendings[what]!(npm);
    }
    t.regex(printed, /reconciling Websites on /);
  });
