import test, { type ExecutionContext } from 'ava';
import { Event, ForbiddenError, type Integration, type KubeObject, Workspace } from '../../../../../sdk/index.ts';
import { follow, workspaceKeys } from '../../../../../sequencer/cli/output/follow.ts';
import type { ProgressEvent } from '../../../../../sequencer/cli/output/progress.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aCluster } from '../a-terminal.ts';

const dns = { name: 'dns', condition: 'DNS', handles: () => true } as unknown as Integration;
const key = (name: string) => ({ namespace: 'default', name });

const refusal = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Forbidden',
    message: 'workspaces is forbidden',
    code: 403,
  }),
};

async function aFollowing(t: ExecutionContext, names: readonly string[]) {
  const { cluster, client } = await aCluster();
  const end = new AbortController();
  const news: string[] = [];
  const events: ProgressEvent[] = [];
  t.teardown(async () => {
    end.abort();
    await cluster.close();
  });
  const following = await follow({
    client,
    keys: names.map(key),
    integrations: () => [dns],
    clock: createManualClock(),
    signal: end.signal,
    onUpdate: ({ lines, event }) => {
      news.push(...lines.map(({ workspace, condition, status }) => `${workspace} ${condition} ${status}`));
      if (event) events.push(event);
    },
  });
  const { signal } = end;
  return { client, following, news, events, signal };
}

test('workspaces are followed from before they are there until they are gone; others are not', async (t) => {
  const { client, following, news, signal } = await aFollowing(t, ['shop']);
  t.deepEqual(following.progress(), []);
  for (const name of ['other', 'shop']) await client.create(Workspace, { metadata: key(name), spec: {} });
  await following.until((all) => all.some(({ state: standing }) => standing === 'moving'), signal);
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Healthy', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const status = { phase: 'Healthy', observedGeneration: 1, conditions };
  await client.patch(Workspace, key('shop'), { type: 'merge', value: { status } }, { subresource: 'status' });
  await following.until((all) => all.every(({ state: standing }) => standing === 'ready'), signal);
  await client.delete(Workspace, key('shop'));
  await following.until((all) => all.every(({ state: standing }) => standing === 'gone'), signal);
  t.deepEqual(news, [
    'default/shop DNS Initialized',
    'default/shop Ready Initialized',
    'default/shop Ready True',
    'default/shop DNS Terminated',
    'default/shop Ready Gone',
  ]);
});

test('a wait ends with its signal', async (t) => {
  const { following } = await aFollowing(t, ['shop']);
  const reason = new Error('enough');
  await t.throwsAsync(
    following.until(() => false, AbortSignal.abort(reason)),
    { is: reason },
  );
});

test('events about the workspaces followed are heard, repeats counted', async (t) => {
  const { client, following, events, signal } = await aFollowing(t, ['shop']);
  const event = (name: string, about: string) => ({
    metadata: { name, namespace: 'default' },
    involvedObject: { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace', namespace: 'default', name: about },
    type: 'Warning',
    reason: 'Slow',
    message: 'takes its time',
  });
  await client.create(Event, event('a', 'other'));
  const made = await client.create(Event, event('b', 'shop'));
  await client.patch(Event, made.metadata, { type: 'merge', value: { count: 3 } });
  await client.create(Workspace, { metadata: key('shop'), spec: {} });
  await following.until((all) => all.length === 1 && events.length === 2, signal).catch(() => undefined);
  t.deepEqual(
    events.map(({ workspace, type, reason, message }) => [workspace, type, reason, message]),
    [
      ['default/shop', 'Warning', 'Slow', 'takes its time'],
      ['default/shop', 'Warning', 'Slow', 'takes its time (×3)'],
    ],
  );
  t.is(following.events().length, 2);
});

test('missing rights are an error, not a silence', async (t) => {
  const { cluster, client } = await aCluster();
  cluster.intercept((request, next) =>
    request.url.includes('/workspaces?') ? Promise.resolve(refusal) : next(request),
  );
  const options = {
    client,
    keys: [key('shop')],
    integrations: () => [],
    clock: createManualClock(),
    signal: AbortSignal.timeout(5000),
  };
  await t.throwsAsync(follow({ ...options, onUpdate: () => {} }), {
    instanceOf: ForbiddenError,
    message: 'workspaces is forbidden',
  });
  await cluster.close();
});

test('without workspaces there is nothing to follow', async (t) => {
  const { following } = await aFollowing(t, []);
  t.deepEqual(following.progress(), []);
});

test('the workspaces among objects are found, with the namespace they will be in', (t) => {
  const object = (apiVersion: string, kind: string, metadata: object) => ({ apiVersion, kind, metadata }) as KubeObject;
  const objects = [
    object('v1', 'ConfigMap', { name: 'a' }),
    object('se.quencer.io/v1alpha1', 'Workspace', { name: 'b' }),
    object('se.quencer.io/v1alpha1', 'Workspace', { name: 'c', namespace: 'own' }),
    object('other.example/v1', 'Workspace', { name: 'd' }),
  ];
  t.deepEqual(workspaceKeys(objects, 'team-a'), [
    { name: 'b', namespace: 'team-a' },
    { name: 'c', namespace: 'own' },
  ]);
});
