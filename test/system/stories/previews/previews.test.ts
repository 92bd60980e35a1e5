import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { gitHub } from '../../../../integrations/github/index.ts';
import { createMemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { previews } from '../../../../integrations/previews/index.ts';
import { createClient, loadConnection, Workspace } from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aFolder } from '../../../unit/a-folder.ts';
import { shaOf } from '../../../unit/integrations/fixtures/a-code-host.ts';
import { type GitHubStandIn, gitHubStandIn } from '../../../unit/integrations/github/stand-in.ts';
import { freePorts } from '../../real/free-ports.ts';
import { eventually } from '../sequencing.ts';

const account = { token: 'a-token-that-nobody-sees', secret: 'a-secret-of-the-webhook', login: 'previewer' };
const template = {
  metadata: { name: 'shop-${pr::number}', namespace: 'default' },
  spec: {
    networking: {
      dns: { zone: 'preview.example.test' },
      ingress: {
        className: 'nginx',
        rules: [{ name: 'web', subdomain: 'pr-${pr::number}', path: '/', component: 'web', network: 'http' }],
      },
    },
  },
};

/** Returns a function that sends a delivery to the webhook server and answers the status. */
const deliverTo =
  (github: GitHubStandIn, port: number) =>
  async (number: number, id: string, tamper = (body: string) => body): Promise<number> => {
    const { headers, body } = github.delivery(
      'pull_request',
      {
        action: 'opened',
        repository: { full_name: 'acme/shop' },
        pull_request: { number },
      },
      id,
    );
    const response = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', headers, body: tamper(body) });
    return response.status;
  };

/** A cluster, a GitHub and a third party, without a sequencer. */
async function aStage(t: ExecutionContext) {
  const folder = await aFolder(t);
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, listening.kubeconfigYaml());
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const github = gitHubStandIn({ ...account, now: Date.now });
  const shop = github.repository('acme/shop');
  const provider = createMemoryDnsProvider();
  const [port = 0] = await freePorts(1);

  const start = async () => {
    const host = gitHub({ token: account.token, secret: account.secret, fetch: github.fetch });
    const { runnable, integration } = previews({
      host,
      repositories: ['acme/shop'],
      template,
      webhook: { port, address: '127.0.0.1' },
    });
    const stop = new AbortController();
    const ready = Promise.withResolvers<void>();
    const ended = runSequencer({
      kubeconfig,
      integrations: [memoryDns({ provider }), integration],
      runnables: [runnable],
      signal: stop.signal,
      onReady: () => ready.resolve(),
    });
    await Promise.race([ready.promise, ended]);
    return async () => {
      stop.abort();
      await ended;
    };
  };
  const deliver = deliverTo(github, port);
  const namesAre = (...names: readonly string[]) =>
    eventually(`${names.join()} published`, async () =>
      provider
        .records()
        .map(({ name }) => name)
        .sort()
        .join() === names.join()
        ? true
        : undefined,
    );
  const close = async (): Promise<void> => {
    await client.close();
    await cluster.close();
  };
  return { client, shop, start, deliver, namesAre, close };
}

test('a pull request is opened, pushed to and closed, while the sequencer is restarted and webhooks are missed', async (t) => {
  const reported = () =>
    [...shop.comments.values()].map(({ number, body }) => {
      const sha = shop.pulls.get(number)?.sha ?? '';
      return `${number}: ${body.split('\n', 1)[0]} ${shop.statusAt(sha, 'preview')?.state}`;
    });
  const { client, shop, start, deliver, namesAre, close } = await aStage(t);
  const one = { namespace: 'default', name: 'shop-1' };
  let stop = await start();
  shop.open(1);
  t.is(await eventually('the webhook server listens', () => deliver(1, 'a')), 202);
  await namesAre('pr-1.preview.example.test');
  const { uid } = (await client.get(Workspace, one)).metadata;
  t.is(await deliver(1, 'a'), 200, 'a replay is seen');
  t.is(await deliver(2, 'b', (body) => `${body} `), 401, 'a wrong signature is refused');

  await eventually('the preview is reported', async () =>
    reported().some((line) => /^1: \*\*Preview\*\*: ready.*success$/.test(line)) ? true : undefined,
  );

  await stop();
  shop.change(1, { sha: shaOf('pushed') });
  shop.open(2);
  shop.open(3);
  stop = await start();
  await namesAre('pr-1.preview.example.test', 'pr-2.preview.example.test', 'pr-3.preview.example.test');
  const pushed = await eventually('the push is seen', async () => {
    const now = await client.get(Workspace, one);
    return JSON.stringify(now.spec).includes(shaOf('pushed')) ? now : undefined;
  });
  t.is(pushed.metadata.uid, uid, 'a push changes the Workspace, and makes no other');

  shop.change(1, { state: 'closed' });
  shop.change(2, { state: 'closed' });
  t.is(await deliver(1, 'c'), 202);
  await stop();
  stop = await start();
  await namesAre('pr-3.preview.example.test');
  await eventually('the Workspaces are gone', async () => {
    const { items } = await client.list(Workspace, { namespace: 'default' });
    return items.map(({ metadata }) => metadata.name).join() === 'shop-3' ? true : undefined;
  });
  await eventually('one preview is reported, once', async () =>
    reported().length === 1 && reported()[0]?.startsWith('3: **Preview**: ready') ? true : undefined,
  );
  shop.change(3, { state: 'closed' });
  t.is(await deliver(3, 'd'), 202);
  await namesAre();
  await stop();
  t.deepEqual(reported(), []);
  await close();
});
