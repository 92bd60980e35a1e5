import test, { type ExecutionContext } from 'ava';
import { type Client, NotFoundError, Workspace } from '../../../../sdk/index.ts';
import { freePorts } from '../../real/free-ports.ts';
import { startLossyProxy } from '../../real/lossy-proxy.ts';
import { type Gitea, type GiteaUser, startGitea } from '../../real/programs/gitea.ts';
import type { PreviewHostOptions } from '../crash-recovery/preview-host-sequencer.ts';
import { startVictim } from '../crash-recovery/victim.ts';
import { connectTo, eventually, workspaceGone } from '../sequencing.ts';
import { serversUnderTest } from '../servers.ts';

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

type Stage = Awaited<ReturnType<typeof aStage>>;
type Victim = Awaited<ReturnType<Stage['run']>>;

/** A stage on which a pull request has a preview. */
interface Story extends Stage {
  readonly t: ExecutionContext;
  readonly one: number;
  /** Commit of its last push. */
  readonly sha: string;
  readonly ready: string;
}

const exists = (client: Client, number: number): Promise<boolean> =>
  client.get(Workspace, { namespace: 'default', name: `shop-${number}` }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFoundError) return false;
      throw error;
    },
  );

/** A pull request is opened, and pushed to. */
async function isOpened(t: ExecutionContext, stage: Stage): Promise<Story> {
  const { client, shop } = stage;
  const first = await shop.alice.push(shop.name, 'feature/login', 'first');
  const one = await shop.open('feature/login');
  const { uid } = (await previewOf(client, one, first)).metadata;
  const comment = await shop.reported(one, first);
  const ready = `success: preview: ready https://pr-${one}.preview.example.test`;
  await is('the status', () => shop.told(first), ready);

  const sha = await shop.alice.push(shop.name, 'feature/login', 'second');
  t.is((await previewOf(client, one, sha)).metadata.uid, uid, 'a push changes the Workspace, and makes no other');
  t.is((await shop.reported(one, sha)).id, comment.id, 'the comment is edited');
  await is('the status of the push', () => shop.told(sha), ready);
  return { ...stage, t, one, sha, ready };
}

/** A maintainer deletes the preview by a comment, and brings it back; a stranger's comment does neither. */
async function isCommentedOn({ t, client, shop, one, sha }: Story): Promise<void> {
  const { alice, mallory } = shop;
  await shop.say(alice, one, 'please\n/preview delete\n');
  await workspaceGone(client, `shop-${one}`);
  t.deepEqual(await shop.ownComments(one), []);
  const why = 'success: no preview: deleted by /preview delete; /preview or a push brings it back';
  await is('the status without a preview', () => shop.told(sha), why);
  await shop.say(mallory, one, '/preview');
  await shop.say(alice, one, '/preview');
  await shop.reported(one, sha);
}

/** The answer to the creation of a comment is lost, once with the process. @returns the second pull request */
async function losesAnswers({ t, client, proxy, shop, one, sha, ready }: Story, victim: Victim): Promise<number> {
  await shop.change(one, 'closed');
  await workspaceGone(client, `shop-${one}`);
  t.deepEqual(await shop.ownComments(one), []);
  const lost = proxy.lose({ method: 'POST', path: /\/comments$/, onAnswer: () => void victim.killAndRestart() });
  await shop.change(one, 'open');
  await lost;
  await shop.reported(one, sha);
  await is('the status after a kill', () => shop.told(sha), ready);

  const unanswered = proxy.lose({ method: 'POST', path: /\/comments$/ });
  const third = await shop.alice.push(shop.name, 'topic', 'third');
  const two = await shop.open('topic');
  await unanswered;
  await shop.reported(two, third);
  return two;
}

/** Webhooks are missed while no sequencer runs. @returns the pull request that was opened meanwhile */
async function missesWebhooks({ t, client, shop, run }: Story, victim: Victim, closed: number): Promise<number> {
  await victim.close();
  const sha = await shop.alice.push(shop.name, 'missed', 'fourth');
  const opened = await shop.open('missed');
  await shop.change(closed, 'closed');
  await run();
  await workspaceGone(client, `shop-${closed}`);
  await shop.reported(opened, sha);
  t.deepEqual(await shop.ownComments(closed), []);
  return opened;
}

/** A fork has a preview as long as a maintainer's label is set. @returns its pull request */
async function isForked({ t, client, shop }: Story): Promise<number> {
  const { alice, mallory } = shop;
  await mallory.call('POST', `${shop.path}/forks`, {});
  const sha = await mallory.push(`${mallory.name}/Shop`, 'fork', 'of a fork');
  const number = await shop.open('fork', mallory);
  const asked = 'success: no preview: a fork gets a preview once a maintainer has set the label preview';
  await is('the status of a fork', () => shop.told(sha), asked);
  await shop.say(mallory, number, '/preview');
  const { id } = await alice.call<{ id: number }>('POST', `${shop.path}/labels`, { name: 'preview', color: '#00aa00' });
  t.false(await exists(client, number));
  await alice.call('POST', `${shop.path}/issues/${number}/labels`, { labels: [id] });
  await shop.reported(number, sha);
  await alice.call('DELETE', `${shop.path}/issues/${number}/labels/${id}`);
  await workspaceGone(client, `shop-${number}`);
  await is('the status of a fork without its label', () => shop.told(sha), asked);
  return number;
}

for (const server of serversUnderTest())
  test.serial(`${server.name}: previews of a repository at Gitea`, async (t) => {
    t.timeout(600_000);
    const stage = await aStage(t, server);
    const victim = await stage.run();
    const story = await isOpened(t, stage);
    await isCommentedOn(story);
    const two = await losesAnswers(story, victim);
    const three = await missesWebhooks(story, victim, two);
    const four = await isForked(story);

    const { client, shop, one } = story;
    await shop.change(one, 'closed');
    await shop.alice.call('DELETE', `${shop.path}/issues/${three}`);
    for (const number of [one, three]) await workspaceGone(client, `shop-${number}`);
    for (const number of [one, two, four]) t.deepEqual(await shop.ownComments(number), []);
  });
