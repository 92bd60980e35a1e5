import test, { type ExecutionContext } from 'ava';
import { type Client, NotFoundError, Workspace } from '../../../sdk/index.ts';
import { freePorts } from '../real/free-ports.ts';
import { type Gitea, type GiteaUser, startGitea } from '../real/gitea.ts';
import { startLossyProxy } from '../real/lossy-proxy.ts';
import type { PreviewHostOptions } from './killed/preview-host-sequencer.ts';
import { startVictim } from './killed/victim.ts';
import { connectTo, eventually, workspaceGone } from './sequencing.ts';
import { serversUnderTest } from './servers.ts';

const repository = 'alice/Shop';
const secret = 'a-secret-of-the-webhook';

let gitea: Gitea;
test.before('Gitea starts', async () => {
  gitea = await startGitea();
});
test.after.always('Gitea stops', () => gitea?.close());

/** Comment as Gitea lists it. */
interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly login: string };
}

/** People of the story: `bot` holds the token, `alice` owns the repository, `mallory` has no rights. */
async function people(name: string): Promise<Readonly<Record<'alice' | 'bot' | 'mallory', GiteaUser>>> {
  const [alice, bot, mallory] = [
    await gitea.user(`alice-${name}`),
    await gitea.user(`bot-${name}`),
    await gitea.user(`mallory-${name}`),
  ];
  return { alice, bot, mallory };
}

/** A repository, and what its people do and see there. */
async function aRepository(name: string, webhook: string) {
  const { alice, bot, mallory } = await people(name);
  const at = repository.replace('alice', alice.name);
  const path = `/repos/${at}`;
  await alice.call('POST', '/user/repos', { name: 'Shop', auto_init: true, default_branch: 'main' });
  await alice.call('PUT', `${path}/collaborators/${bot.name}`, { permission: 'admin' });
  const config = { url: webhook, content_type: 'json', secret };
  const events = ['pull_request', 'issue_comment', 'pull_request_comment'];
  await alice.call('POST', `${path}/hooks`, { type: 'gitea', active: true, config, events });
  const ownComments = async (number: number): Promise<readonly Comment[]> => {
    const all = await bot.call<readonly Comment[]>('GET', `${path}/issues/${number}/comments`);
    return all.filter(({ user }) => user.login === bot.name);
  };
  return {
    ...{ name: at, path, alice, bot, mallory, ownComments },
    open: async (branch: string, by = alice): Promise<number> => {
      const head = by === alice ? branch : `${by.name}:${branch}`;
      return (await by.call<{ number: number }>('POST', `${path}/pulls`, { head, base: 'main', title: branch })).number;
    },
    change: (number: number, state: 'open' | 'closed') => alice.call('PATCH', `${path}/pulls/${number}`, { state }),
    say: (by: GiteaUser, number: number, body: string) =>
      by.call('POST', `${path}/issues/${number}/comments`, { body }),
    /** State and description of our status. */
    told: async (sha: string): Promise<string> => {
      const { statuses } = await bot.call<{ statuses: readonly Readonly<Record<string, string>>[] | null }>(
        'GET',
        `${path}/commits/${sha}/status`,
      );
      const ours = statuses?.find(({ context }) => context === 'preview');
      return ours === undefined ? 'nothing' : `${ours.status}: ${ours.description} ${ours.target_url}`.trim();
    },
    /** Waits for exactly one comment of ours, which says that the preview of a commit is ready. */
    reported: (number: number, sha: string): Promise<Comment> =>
      eventually(`pull request ${number} is reported once, for ${sha}`, async () => {
        const [first, second] = await ownComments(number);
        const isReady =
          first?.body.startsWith('**Preview**: ready at https://') && first.body.includes(`commit ${sha}`);
        return isReady && second === undefined ? first : undefined;
      }),
  };
}

const is = (what: string, ask: () => Promise<string>, wanted: string): Promise<true> =>
  eventually(`${what} is ${wanted}`, async () => ((await ask()) === wanted ? (true as const) : undefined));

const previewOf = (client: Client, number: number, sha: string): Promise<Workspace> =>
  eventually(`the preview of ${number} is of ${sha}`, async () => {
    const found = await client.get(Workspace, { namespace: 'default', name: `shop-${number}` });
    return JSON.stringify(found.spec).includes(sha) && found.metadata.deletionTimestamp === undefined
      ? found
      : undefined;
  });

/** A cluster, a repository, and a sequencer in a process of its own behind a proxy. */
async function aStage(t: ExecutionContext, { name, start }: ReturnType<typeof serversUnderTest>[number]) {
  const server = await start();
  const client = await connectTo(server);
  const proxy = await startLossyProxy(gitea.url);
  const [port = 0] = await freePorts(1);
  const shop = await aRepository(name, `http://127.0.0.1:${port}/webhook`);
  const options: PreviewHostOptions = {
    kubeconfig: server.kubeconfigPath,
    times: { lease: 6_000, margin: 800, maxRequest: 3_000 },
    host: { url: proxy.url, token: shop.bot.token, secret, deadline: 5_000 },
    repository: shop.name,
    port,
  };
  t.teardown(async () => {
    await client.close();
    await proxy.close();
    await server.close();
  });
  const run = async () => {
    const victim = await startVictim(options, 'preview-host-sequencer.ts');
    t.teardown(() => victim.close());
    await eventually('the webhook server listens', async () => {
      const ending = victim.ending();
      if (ending !== undefined) throw new Error(ending);
      return (await fetch(`http://127.0.0.1:${port}/webhook`)).status === 405 || undefined;
    });
    return victim;
  };
  return { client, proxy, shop, run };
}

for (const server of serversUnderTest())
  test.serial(`${server.name}: previews of a repository at Gitea`, async (t) => {
    t.timeout(600_000);
    const { client, proxy, shop, run } = await aStage(t, server);
    const { alice, mallory } = shop;
    const exists = (number: number): Promise<boolean> =>
      client.get(Workspace, { namespace: 'default', name: `shop-${number}` }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof NotFoundError) return false;
          throw error;
        },
      );
    let victim = await run();

    const first = await alice.push(shop.name, 'feature/login', 'first');
    const one = await shop.open('feature/login');
    const { uid } = (await previewOf(client, one, first)).metadata;
    const comment = await shop.reported(one, first);
    const ready = `success: preview: ready https://pr-${one}.preview.example.test`;
    await is('the status', () => shop.told(first), ready);

    const second = await alice.push(shop.name, 'feature/login', 'second');
    t.is((await previewOf(client, one, second)).metadata.uid, uid, 'a push changes the Workspace, and makes no other');
    t.is((await shop.reported(one, second)).id, comment.id, 'the comment is edited');
    await is('the status of the push', () => shop.told(second), ready);

    await shop.say(alice, one, 'please\n/preview delete\n');
    await workspaceGone(client, `shop-${one}`);
    t.deepEqual(await shop.ownComments(one), []);
    const why = 'success: no preview: deleted by /preview delete; /preview or a push brings it back';
    await is('the status without a preview', () => shop.told(second), why);
    await shop.say(mallory, one, '/preview');
    await shop.say(alice, one, '/preview');
    await shop.reported(one, second);

    await shop.change(one, 'closed');
    await workspaceGone(client, `shop-${one}`);
    t.deepEqual(await shop.ownComments(one), []);
    const lost = proxy.lose({ method: 'POST', path: /\/comments$/, onAnswer: () => void victim.killAndRestart() });
    await shop.change(one, 'open');
    await lost;
    await shop.reported(one, second);
    await is('the status after a kill', () => shop.told(second), ready);

    const unanswered = proxy.lose({ method: 'POST', path: /\/comments$/ });
    const third = await alice.push(shop.name, 'topic', 'third');
    const two = await shop.open('topic');
    await unanswered;
    await shop.reported(two, third);

    await victim.close();
    const fourth = await alice.push(shop.name, 'missed', 'fourth');
    const three = await shop.open('missed');
    await shop.change(two, 'closed');
    victim = await run();
    await workspaceGone(client, `shop-${two}`);
    await shop.reported(three, fourth);
    t.deepEqual(await shop.ownComments(two), []);

    await mallory.call('POST', `${shop.path}/forks`, {});
    const forked = await mallory.push(`${mallory.name}/Shop`, 'fork', 'of a fork');
    const four = await shop.open('fork', mallory);
    const asked = 'success: no preview: a fork gets a preview once a maintainer has set the label preview';
    await is('the status of a fork', () => shop.told(forked), asked);
    await shop.say(mallory, four, '/preview');
    const { id } = await alice.call<{ id: number }>('POST', `${shop.path}/labels`, {
      name: 'preview',
      color: '#00aa00',
    });
    t.false(await exists(four));
    await alice.call('POST', `${shop.path}/issues/${four}/labels`, { labels: [id] });
    await shop.reported(four, forked);
    await alice.call('DELETE', `${shop.path}/issues/${four}/labels/${id}`);
    await workspaceGone(client, `shop-${four}`);
    await is('the status of a fork without its label', () => shop.told(forked), asked);

    await shop.change(one, 'closed');
    await alice.call('DELETE', `${shop.path}/issues/${three}`);
    for (const number of [one, three]) await workspaceGone(client, `shop-${number}`);
    for (const number of [one, two, four]) t.deepEqual(await shop.ownComments(number), []);
  });
