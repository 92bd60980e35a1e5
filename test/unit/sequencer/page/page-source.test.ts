import test from 'ava';
import { createClient, ensureCrds, systemClock, Workspace } from '../../../../sdk/index.ts';
import { createPageSource } from '../../../../sequencer/page/page-source.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aStored } from './a-page.ts';

test('rows follow the workspaces; a heartbeat of a journal changes none, and others are not shown', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  const source = createPageSource({
    client,
    clock: systemClock,
    redact: (text) => text,
    isShown: ({ metadata }) => metadata.name !== 'foreign',
  });
  const heard: [string, boolean][] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const until = (count: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ count, resolve });
    if (heard.length >= count) resolve();
    return promise;
  };
  const mute = source.listen((key, inList) => {
    heard.push([key, inList]);
    for (const one of waiting) if (heard.length >= one.count) one.resolve();
  });
  const stop = new AbortController();
  const running = source.run(stop.signal);
  t.is(await source.firstResult(), undefined);
  await aStored(client, 'foreign');
  await aStored(client, 'shop', { phase: 'Deploying' });
  await until(3);
  const beating = { guards: { DNS: { phase: 'intent', op: 'create', key: 'k', token: 1, holder: 'h', beat: 1 } } };
  const key = { name: 'shop', namespace: 'default' };
  await client.patch(Workspace, key, { type: 'merge', value: { status: beating } }, { subresource: 'status' });
  await until(4);
  t.deepEqual(source.keys(), ['default/shop']);
  t.like(JSON.parse(source.rowText('default/shop') ?? ''), { phase: 'Deploying' });
  t.is(source.workspace('default/foreign'), undefined);
  t.not(source.history.journalChangedAt('default/shop', 'DNS'), undefined);
  await client.delete(Workspace, key);
  await until(5);
  t.deepEqual(source.keys(), []);
  t.is(source.workspace('default/shop'), undefined);
  t.deepEqual(heard, [
    ['default/foreign', false],
    ['default/shop', true],
    ['default/shop', true],
    ['default/shop', false],
    ['default/shop', true],
  ]);
  mute();
  stop.abort();
  await running;
  await client.close();
  await cluster.close();
});

test('while workspaces may not be listed or watched, the right that is missing is told', async (t) => {
  const cluster = await createCluster({ rbac: true });
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [Workspace]);
  const user = { name: 'page', groups: ['system:authenticated'] };
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcherAs(user) });
  const source = createPageSource({ client, clock: systemClock, redact: (text) => text });
  const stop = new AbortController();
  const running = source.run(stop.signal);
  t.regex(
    (await source.firstResult()) ?? '',
    /^the page has no workspaces to show, since .* User "page" cannot (list|watch) resource "workspaces" in API group "se\.quencer\.io" at the cluster scope; grant that/,
  );
  stop.abort();
  await running;
  await Promise.all([admin.close(), client.close()]);
  await cluster.close();
});
