import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { stringify } from 'yaml';
import { systemClock, UnreachableError, Workspace } from '../../../../../sdk/index.ts';
import { startCluster } from '../../../../../sequencer/cli/commands/cluster.ts';
import { openTargetCluster } from '../../../../../sequencer/cli/commands/target-cluster.ts';
import { aFolder } from '../../../a-folder.ts';

const { signal } = new AbortController();
const options = { clock: systemClock, signal };

test('its own cluster has the Workspace kind, and says how to look at it', async (t) => {
  await using target = await openTargetCluster(options);
  t.deepEqual((await target.client.list(Workspace)).items, []);
  t.is(target.namespace, 'default');
  t.regex(
    target.about.join('\n'),
    /^cluster {5}in memory, v1\.\d+\.\d+, https:.*\nkubeconfig {2}(\S+)\nseed {8}[0-9a-f]{32}\ntry {9}kubectl --kubeconfig \1 get workspaces --watch$/,
  );
});

test('a cluster of another program is used as its kubeconfig says', async (t) => {
  const kubeconfig = join(await aFolder(t), 'kubeconfig');
  await using _ = await startCluster({ kubeconfig });
  await using target = await openTargetCluster({ ...options, kubeconfig, namespace: 'team-a' });
  t.deepEqual((await target.client.list(Workspace)).items, []);
  t.is(target.namespace, 'team-a');
  t.false(target.about.join().includes('in memory'));
});

test('a cluster that does not answer is given up', async (t) => {
  const kubeconfig = join(await aFolder(t), 'kubeconfig');
  const named = (name: string, rest: object) => [{ name, ...rest }];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: named('a', { context: { cluster: 'a', user: 'a' } }),
    clusters: named('a', { cluster: { server: 'https://127.0.0.1:1' } }),
    users: named('a', { user: { token: 'a' } }),
  };
  await writeFile(kubeconfig, stringify(config));
  await t.throwsAsync(openTargetCluster({ ...options, kubeconfig }), {
    instanceOf: UnreachableError,
    message: /127\.0\.0\.1:1/,
  });
});

test('a context that is not there is reported', async (t) => {
  const kubeconfig = join(await aFolder(t), 'kubeconfig');
  await using _ = await startCluster({ kubeconfig });
  await t.throwsAsync(openTargetCluster({ ...options, kubeconfig, context: 'nowhere' }), { code: 'E#1003' });
});
