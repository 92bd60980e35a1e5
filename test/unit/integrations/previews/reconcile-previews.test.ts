import test from 'ava';
import { Workspace } from '../../../../sdk/index.ts';
import { shaOf } from '../fixtures/a-code-host.ts';
import { account, aPreviewWorld, repository } from './a-preview-world.ts';

const read = ({ client }: Pick<Awaited<ReturnType<typeof aPreviewWorld>>, 'client'>, name: string) =>
  client.get(Workspace, { namespace: 'default', name });

test('an opened pull request gets a Workspace, a push changes it, its end deletes it, and a second look does nothing', async (t) => {
  const world = await aPreviewWorld();
  const { shop, names, look } = world;
  shop.open(7, { branch: 'Feature/Ünïcode "}}' });
  await look();
  const first = await read(world, 'shop-7');
  t.deepEqual(first.spec.integrations, {
    note: { text: `acme/shop@${shaOf(`${repository} 7`)} of feature-n-code` },
    'preview-report': { host: 'github.com', repository: 'acme/shop', number: 7, sha: shaOf(`${repository} 7`) },
  });
  t.like(first.metadata, { labels: { app: 'shop', 'previews.se.quencer.io/number': '7' } });
  await look();
  t.is((await read(world, 'shop-7')).metadata.resourceVersion, first.metadata.resourceVersion);
  shop.change(7, { sha: shaOf('next') });
  await look(new Set([7]));
  t.is((await read(world, 'shop-7')).metadata.uid, first.metadata.uid);
  t.regex(JSON.stringify((await read(world, 'shop-7')).spec), new RegExp(shaOf('next')));
  shop.change(7, { state: 'closed' });
  await look(new Set([7]));
  t.deepEqual(await names(), []);
});

test('what was opened, pushed and closed while no process ran is caught up with by the list', async (t) => {
  const { shop, names, look, ...world } = await aPreviewWorld();
  for (const number of [1, 2, 3]) shop.open(number);
  await look();
  shop.change(1, { state: 'closed' });
  shop.change(2, { sha: shaOf('pushed') });
  shop.open(4);
  await look();
  t.deepEqual(await names(), ['shop-2', 'shop-3', 'shop-4']);
  t.regex(JSON.stringify((await read(world, 'shop-2')).spec), new RegExp(shaOf('pushed')));
});

test('a pull request that slips between two pages of the list keeps its preview', async (t) => {
  const { shop, names, look, github } = await aPreviewWorld();
  shop.open(1);
  await look();
  github.faults.push(Response.json([]), Response.json([]));
  await look();
  t.deepEqual(await names(), ['shop-1']);
});

test('a Workspace of another party is neither taken over nor deleted, and its name is reported', async (t) => {
  const world = await aPreviewWorld();
  const { shop, names, look, told, create } = world;
  const mine = await create('shop-1', { labels: { 'previews.se.quencer.io/number': '1' } });
  shop.open(1);
  shop.open(2);
  await look();
  t.deepEqual(await names(), ['shop-1', 'shop-2']);
  t.deepEqual(await read(world, 'shop-1'), mine);
  t.is(told(1), 'failure: the name shop-1 is taken by a Workspace that is not a preview of this repository');
  shop.change(1, { state: 'closed' });
  await look();
  t.deepEqual(await names(), ['shop-1', 'shop-2']);
});

test('after its ttl a preview goes and stays away until a push or /preview; no status is set twice', async (t) => {
  const { shop, names, look, told, clock } = await aPreviewWorld({ ttl: 3_600_000 });
  shop.members.set('ann', 'write');
  shop.open(1);
  await look();
  await clock.advance(3_599_000);
  shop.change(1, {});
  await look();
  t.deepEqual(await names(), ['shop-1']);
  await clock.advance(1_000);
  await look();
  await look();
  t.deepEqual(await names(), []);
  t.is(told(1), 'success: no preview: deleted after its time; /preview or a push brings it back');
  await look();
  t.is(shop.statuses.length, 1);
  shop.comment(1, 'ann', 'Let me see:\r\n/preview  \r\n');
  await look();
  t.deepEqual(await names(), ['shop-1']);
  await clock.advance(3_600_000);
  await look();
  t.deepEqual(await names(), []);
  shop.change(1, { sha: shaOf('pushed') });
  await look();
  t.deepEqual(await names(), ['shop-1']);
});

test('idle counts from the last change of the pull request', async (t) => {
  const { shop, names, look, clock } = await aPreviewWorld({ idle: 60_000 });
  shop.open(1);
  await look();
  await clock.advance(50_000);
  shop.comment(1, 'ann', 'looks good');
  await clock.advance(50_000);
  await look();
  t.deepEqual(await names(), ['shop-1']);
  await clock.advance(10_000);
  await look();
  t.deepEqual(await names(), []);
});

test('/preview delete deletes until a push; only people who may write are heard, each comment once', async (t) => {
  const { shop, names, look, told, logged } = await aPreviewWorld();
  shop.members.set('ann', 'write').set('bob', 'read');
  shop.open(1);
  await look();
  shop.comment(1, 'bob', '/preview delete');
  await look();
  t.deepEqual(await names(), ['shop-1']);
  t.true(logged.some((line) => line.includes('may not write') && line.includes('bob')));
  const asked = shop.comment(1, 'ann', '/preview delete');
  await look(new Set([1]));
  t.deepEqual(await names(), []);
  await look();
  t.regex(told(1) ?? '', /deleted by \/preview delete/);
  shop.change(1, { sha: shaOf('pushed') });
  await look();
  asked.updatedAt += 60_000;
  await look();
  t.deepEqual(await names(), ['shop-1'], 'an edited comment is not a new command');
});

test('a fork gets a preview once the label is set, and loses it with the label', async (t) => {
  const { shop, names, look, told } = await aPreviewWorld({ forkLabel: 'safe to preview' });
  shop.members.set('ann', 'write');
  shop.open(1, { from: 'mallory/shop' });
  shop.open(2, { from: null, labels: ['other'] });
  shop.comment(1, 'ann', '/preview');
  await look();
  t.deepEqual(await names(), []);
  t.is(told(2), 'success: no preview: a fork gets a preview once a maintainer has set the label safe to preview');
  shop.change(1, { labels: ['safe to preview'] });
  await look();
  t.deepEqual(await names(), ['shop-1']);
  shop.change(1, { labels: [] });
  await look();
  t.deepEqual(await names(), []);
});

test('at the limit the oldest pull requests have previews, the others are reported, and come when there is room', async (t) => {
  const { shop, names, told, looker } = await aPreviewWorld({ limit: 2 });
  for (const number of [3, 1, 2]) shop.open(number);
  const look = looker();
  await look();
  t.deepEqual(await names(), ['shop-1', 'shop-2']);
  t.is(told(3), 'failure: 2 previews are there already, no more are allowed: close or delete one');
  shop.change(1, { state: 'closed' });
  t.is((await look(new Set([1]))).again, 'all');
  await look();
  t.deepEqual(await names(), ['shop-2', 'shop-3']);
});

test('a preview under a former name goes before the one with the new name comes', async (t) => {
  const world = await aPreviewWorld();
  const { shop, names, look, create, client } = world;
  shop.open(1);
  await look();
  const { labels = {} } = (await read(world, 'shop-1')).metadata;
  await client.delete(Workspace, { namespace: 'default', name: 'shop-1' });
  await create('former-1', { labels, finalizers: ['acme.example/held'] });
  t.deepEqual([...((await look()).again as ReadonlySet<number>)], [1]);
  t.deepEqual(await names(), ['former-1'], 'it is still on its way out');
  const released = { metadata: { finalizers: null } };
  await client.patch(Workspace, { namespace: 'default', name: 'former-1' }, { type: 'merge', value: released });
  await look(new Set([1]));
  t.deepEqual(await names(), ['shop-1']);
});

test('a template that the API server refuses is reported on its pull request, and the others are seen to', async (t) => {
  const component = { name: 'web-${pr::branch}-${pr::branch}', template: { containers: [] } };
  const template = { metadata: { name: 'shop-${pr::number}' }, spec: { components: [component] } };
  const { shop, names, look, told } = await aPreviewWorld({ template });
  shop.open(1, { branch: 'x'.repeat(100) });
  shop.open(2, { branch: 'main' });
  const { failures, again } = await look();
  t.is(failures.length, 1);
  t.deepEqual(again, new Set(), 'it would be refused again');
  t.deepEqual(await names(), ['shop-2']);
  t.regex(told(1) ?? '', /^failure: the preview could not be changed: .*components\[0\].name: Too long/);
  t.is(told(2), undefined);
});

test('a refusal that repeats the token of the host is reported without it', async (t) => {
  const spec = { components: [{ name: `${account.token}_`, template: { containers: [] } }] };
  const { shop, look, told } = await aPreviewWorld({ template: { metadata: { name: 'shop-${pr::number}' }, spec } });
  shop.open(1);
  await look();
  t.regex(told(1) ?? '', /^failure: the preview could not be changed: .*"\*\*\*_"/);
});

test('an author whose rights the host does not tell is not heard, and stops no other', async (t) => {
  const { shop, names, look, github, logged } = await aPreviewWorld();
  shop.open(1);
  await look();
  shop.comment(1, 'ann', '/preview delete');
  const comments = await github.fetch('https://api.github.com/repos/acme/shop/issues/comments', {
    headers: { authorization: 'Bearer a-token-that-nobody-sees', 'user-agent': 'x' },
  });
  github.faults.push(comments, Response.json([]), Response.json({ message: 'Only admins can' }, { status: 403 }));
  await look();
  await look();
  t.deepEqual(await names(), ['shop-1']);
  t.true(logged.some((line) => line.includes('could not be read') && line.includes('Only admins can')));
});

test('nothing is changed while the list cannot be read', async (t) => {
  const { shop, names, look, github } = await aPreviewWorld();
  shop.open(1);
  await look();
  shop.change(1, { state: 'closed' });
  const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767229200' };
  github.faults.push(Response.json({ message: 'API rate limit exceeded' }, { status: 403, headers: limited }));
  const error = await t.throwsAsync(look(), { message: /GitHub: GET .*: HTTP 429/ });
  t.is(error?.name, 'ThrottledError');
  t.deepEqual(await names(), ['shop-1']);
});
