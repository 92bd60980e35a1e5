import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createClient, loadConnection, Namespace } from '../../../../../sdk/index.ts';
import { startCluster } from '../../../../../sequencer/cli/commands/cluster.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd, start } from '../a-terminal.ts';

const aFile = async (t: ExecutionContext): Promise<string> => join(await aFolder(t), 'kubeconfig');
const namespacesOf = async (kubeconfig: string): Promise<readonly string[]> => {
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const { items } = await client.list(Namespace);
  await client.close();
  return items.map(({ metadata }) => metadata.name);
};

test('a reader that waits for the kubeconfig never sees a part of it', async (t) => {
  const kubeconfig = await aFile(t);
  await writeFile(kubeconfig, 'of the last run');
  const read = new Set<string>();
  let started = false;
  const reading = (async () => {
    for (; !started; await new Promise(setImmediate)) read.add(readFileSync(kubeconfig, 'utf8'));
  })();
  await using cluster = await startCluster({ kubeconfig });
  started = true;
  await reading;
  const whole = await readFile(kubeconfig, 'utf8');
  t.true(whole.includes(cluster.url));
  t.deepEqual(
    [...read].filter((text) => text !== 'of the last run' && text !== whole),
    [],
  );
});

test('the kubeconfig that is written leads to the cluster, and only its owner may read it', async (t) => {
  const kubeconfig = await aFile(t);
  await using cluster = await startCluster({ kubeconfig });
  t.regex(cluster.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  t.true((await namespacesOf(kubeconfig)).includes('default'));
  t.is((await stat(kubeconfig)).mode & 0o777, 0o600);
});

const toFullDevice = existsSync('/dev/full') ? test : test.skip;
toFullDevice('a recording that cannot be written is reported', async (t) => {
  const program = `
    const [, server] = /server: "?([^"\\s]+)/.exec(require('node:fs').readFileSync(process.env.KUBECONFIG, 'utf8'));
    fetch(server + '/version').then(() => setTimeout(() => undefined, 200));`;
  const args = ['cluster', '--record', '/dev/full', '--', process.execPath, '-e', program];
  const { code, stderr } = await runToEnd(args, { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' } });
  t.regex(stderr, /^note: cannot write \/dev\/full: .*ENOSPC.*; the recording is incomplete$/m);
  t.is(code, 0);
});

test('a pipe is written to, not replaced by a file', async (t) => {
  const kubeconfig = await aFile(t);
  execFileSync('mkfifo', [kubeconfig]);
  const reading = readFile(kubeconfig, 'utf8');
  await using cluster = await startCluster({ kubeconfig });
  t.true((await stat(kubeconfig)).isFIFO());
  t.true((await reading).includes(cluster.url));
});

test('each start has a token and uids of its own, unless they are chosen', async (t) => {
  const started = async (options = {}) => {
    const kubeconfig = await aFile(t);
    await using cluster = await startCluster({ kubeconfig, ...options });
    const client = createClient({ connection: await loadConnection({ kubeconfig }) });
    const { metadata } = await client.get(Namespace, { name: 'kube-system' });
    await client.close();
    const token = /token: (\S+)/.exec(await readFile(kubeconfig, 'utf8'))?.[1];
    return { token, uid: metadata.uid, seed: cluster.seed };
  };
  const [first, second] = [await started(), await started()];
  for (const member of ['token', 'uid', 'seed'] as const) t.not(first[member], second[member]);
  const { seed, token } = first;
  t.deepEqual(await started({ seed, adminToken: token }), first);
});

test('a seed or token that is none, and those of a cluster in memory beside another one, are reported', async (t) => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await runToEnd(args);
    t.is(code, 1, stderr);
    return stderr;
  };
  t.regex(await refused('cluster', '--seed', 'x'), /E#2001.*a seed is a whole number, or 32 hexadecimal digits/);
  t.regex(await refused('cluster', '--token', 'a b'), /E#2001.*--token is of letters/);
  t.regex(await refused('dev', '--seed', '1', '--kubeconfig', 'x'), /E#2001.*--seed is for the in-memory cluster/);
});

test('a port that is taken, or a file that cannot be written, is reported', async (t) => {
  await using first = await startCluster({ kubeconfig: await aFile(t) });
  const port = Number(new URL(first.url).port);
  const taken = await t.throwsAsync(startCluster({ port, kubeconfig: await aFile(t) }), {
    code: 'E#2030',
    message: new RegExp(`^cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`),
  });
  t.regex(`${(taken as { readonly hint?: string }).hint}`, /choose another --port/);
  await t.throwsAsync(startCluster({ kubeconfig: '/no/such/folder/file' }), {
    code: 'E#2030',
    message: /^cannot write \/no\/such/,
  });
});

test('the command serves until a signal, then exits with 0', async (t) => {
  const kubeconfig = await aFile(t);
  const command = start(['cluster', '--kubeconfig', kubeconfig]);
  await command.printed(/^Ctrl-C stops the cluster/m);
  t.true((await namespacesOf(kubeconfig)).includes('default'));
  command.process.kill('SIGTERM');
  const { code, stdout, stderr } = await command.ended;
  t.deepEqual([code, stderr], [0, '']);
  t.true(stdout.includes(`kubectl --kubeconfig ${kubeconfig} get namespaces`));
  t.truthy(await readFile(kubeconfig, 'utf8'));
});

test('it ends with its input, when told to, and takes its kubeconfig away', async (t) => {
  const command = start(['cluster', '--until-eof'], { input: { open: true } });
  const [, kubeconfig = ''] = await command.printed(/^kubeconfig {2}(.*)$/m);
  t.true((await namespacesOf(kubeconfig)).includes('default'));
  command.process.stdin?.end();
  t.like(await command.ended, { code: 0, stderr: '' });
  await t.throwsAsync(stat(kubeconfig), { code: 'ENOENT' });
  const signalled = start(['cluster', '--until-eof'], { input: { open: true } });
  await signalled.printed(/^Ctrl-C stops the cluster/m);
  signalled.process.kill('SIGTERM');
  t.like(await signalled.ended, { code: 0, stderr: '' });
});

test('a port that is none is refused', async (t) => {
  t.regex(
    (await runToEnd(['cluster', '--port', 'http'])).stderr,
    /^error E#2001: .*--port needs a port from 0 to 65535; found "http"/,
  );
});

test('it is the version that is asked for, or refuses it', async (t) => {
  const kubeconfig = await aFile(t);
  const command = start(['cluster', '--kubeconfig', kubeconfig, '--version', '1.29']);
  await command.printed(/^Ctrl-C stops the cluster/m);
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  t.like(await client.raw('GET', '/version'), { gitVersion: 'v1.29.0' });
  await client.close();
  command.process.kill('SIGTERM');
  await command.ended;
  t.regex((await runToEnd(['cluster', '--version', '1.20'])).stderr, /E#2001: .*--version is one of 1\.27, 1\.28/);
});

test('with all controllers a Deployment has pods; a controller that does not exist is refused', async (t) => {
  await t.throwsAsync(startCluster({ controllers: 'all,deploymnet=off' }), {
    code: 'E#2001',
    message: /there is no controller "deploymnet"; there are others, namespace, /,
  });
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, kubelet: false, controllers: 'all' });
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const labels = { app: 'web' };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  };
  const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
  const path = '/apis/apps/v1/namespaces/default/deployments';
  await client.raw('POST', path, body);
  let available = 0;
  for (let attempt = 0; attempt < 200 && available === 0; attempt += 1) {
    const { status } = (await client.raw('GET', `${path}/web`)) as { status: { availableReplicas?: number } };
    available = status.availableReplicas ?? 0;
  }
  t.is(available, 1);
  await client.close();
});
