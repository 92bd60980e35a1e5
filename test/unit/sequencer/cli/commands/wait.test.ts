import test from 'ava';
import { Secret, type UserError, Workspace } from '../../../../../sdk/index.ts';
import { applyAll } from '../../../../../sequencer/cli/commands/apply.ts';
import {
  beginWalkthrough,
  deleteAndWait,
  endWalkthrough,
  waitUntilReady,
} from '../../../../../sequencer/cli/commands/wait.ts';
import { type FollowedWorkspaces, follow } from '../../../../../sequencer/cli/output/follow.ts';
import type { ConditionLine, Progress } from '../../../../../sequencer/cli/output/progress.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aCluster } from '../a-terminal.ts';

const { signal } = new AbortController();
const line = (condition: string, status: string, reason: string): ConditionLine => ({
  workspace: 'default/shop',
  condition,
  status,
  reason,
  since: 0,
  until: undefined,
});
const aProgress = (standing: Progress['state'], ...lines: readonly ConditionLine[]): Progress => ({
  key: 'default/shop',
  state: standing,
  lines,
});
const failed = aProgress(
  'error',
  line('Components', 'Completed', 'fine'),
  line('DNS', 'Error', 'REFUSED'),
  line('Ready', 'False', 'Error: DNS'),
);

/** Progress without any change. */
const still = (...progress: readonly Progress[]): FollowedWorkspaces => ({
  progress: () => progress,
  events: () => [],
  until: (holds, until) =>
    holds(progress)
      ? Promise.resolve()
      : new Promise((_, reject) => until.addEventListener('abort', () => reject(until.reason))),
});

const patience = () => ({ signal, timeout: 90_000, clock: createManualClock() });

test('all ready is ready, and no timer is left', async (t) => {
  const { clock, ...rest } = patience();
  await waitUntilReady(still(aProgress('ready')), 1, { ...rest, clock, errors: 'fatal' });
  t.is(clock.pending, 0);
});

test('an error ends it, with the conditions that are in the way', async (t) => {
  const error = await t.throwsAsync(waitUntilReady(still(failed), 1, { ...patience(), errors: 'fatal' }), {
    code: 'E#2031',
    message: 'default/shop is in Error',
  });
  t.like(error, {
    hint: 'default/shop  DNS  Error: REFUSED\nfix the reasons above; without --once it is retried until Ctrl-C',
  });
});

test('where errors are only shown, the time ends it', async (t) => {
  const { clock, ...rest } = patience();
  const waiting = t.throwsAsync(waitUntilReady(still(failed), 1, { ...rest, clock, errors: 'shown' }), {
    code: 'E#2032',
    message: 'not ready within 90 s: 1 workspace',
  });
  await clock.advance(90_000);
  await waiting;
});

test('one that has not been seen yet is not ready', async (t) => {
  const { clock, ...rest } = patience();
  const waiting = t.throwsAsync(waitUntilReady(still(aProgress('ready')), 3, { ...rest, clock, errors: 'fatal' }), {
    code: 'E#2032',
    message: 'not ready within 90 s: 2 workspaces',
  });
  await clock.advance(90_000);
  await waiting;
});

test('being interrupted is not a failure of the workspaces', async (t) => {
  const interrupt = new AbortController();
  const reason = new Error('Ctrl-C');
  const waiting = waitUntilReady(still(aProgress('moving')), 1, {
    ...patience(),
    signal: interrupt.signal,
    errors: 'fatal',
  });
  interrupt.abort(reason);
  await t.throwsAsync(waiting, { is: reason });
});

async function applied(finalizers: readonly string[]) {
  const { cluster, client } = await aCluster();
  const clock = createManualClock();
  const end = new AbortController();
  const keys = [{ namespace: 'default', name: 'shop' }];
  const following = await follow({
    client,
    keys,
    integrations: () => [],
    clock,
    signal: end.signal,
    onUpdate: () => {},
  });
  const manifest = (apiVersion: string, kind: string, metadata: object) => ({
    where: 'x:1',
    object: { apiVersion, kind, metadata, ...(kind === 'Workspace' && { spec: {} }) } as never,
  });
  const all = [
    manifest('v1', 'Secret', { name: 'a' }),
    manifest('se.quencer.io/v1alpha1', 'Workspace', { name: 'shop', finalizers }),
  ];
  const made = await applyAll(client, all, { namespace: 'default', signal });
  const close = () => {
    end.abort();
    return cluster.close();
  };
  return { client, clock, made, removal: { ...patience(), client, clock, following }, close };
}

test('nothing of what was applied is left when it is through', async (t) => {
  const { client, made, removal, close } = await applied([]);
  await deleteAndWait(made, removal);
  t.deepEqual((await client.list(Workspace)).items, []);
  t.deepEqual((await client.list(Secret)).items, []);
  await close();
});

test('a workspace that does not go is named when the time is up; the rest waits for it', async (t) => {
  const { client, clock, made, removal, close } = await applied(['se.quencer.io/nobody']);
  const waiting = t.throwsAsync(deleteAndWait(made, removal), {
    code: 'E#2033',
    message: 'not deleted within 90 s: 1 workspace',
  });
  await removal.following.until(([shop]) => shop?.state === 'deleting', signal);
  await clock.advance(90_000);
  await waiting;
  t.is((await client.list(Secret)).items.length, 1);
  await close();
});

test('what came with a workspace and does not go is named, too', async (t) => {
  const { client, clock, made, removal, close } = await applied([]);
  const value = { metadata: { finalizers: ['acme.example/held'] } };
  await client.patch(Secret, { namespace: 'default', name: 'a' }, { type: 'merge', value });
  const waiting = t.throwsAsync<UserError>(deleteAndWait(made, removal), {
    code: 'E#2033',
    message: 'not deleted within 90 s: 1 other object',
  });
  await removal.following.until(([shop]) => shop?.state === 'gone', signal);
  await clock.advance(90_000);
  t.is(
    (await waiting)?.hint,
    'Secret default/a  is being deleted; metadata.finalizers: acme.example/held\nthe lines above name what blocks the deletion; --timeout sets a longer limit',
  );
  await close();
});

/** Walkthrough whose ends are as given; `never` waits for its signal. */
const never = (until: AbortSignal) =>
  new Promise<never>((_, reject) => until.addEventListener('abort', () => reject(until.reason)));

test('a walkthrough that leaves nothing says so, and one that leaves something fails with what it is', async (t) => {
  const { client, cluster } = await aCluster();
  const told: string[] = [];
  const options = {
    ...patience(),
    client,
    following: still(),
    say: (...lines: readonly string[]) => void told.push(...lines),
  };
  const ending = (counts: Readonly<Record<string, number>>) => ({
    begin: async ({ say }: { readonly say: (line: string) => void }) => say('begun'),
    end: async () => counts,
  });
  await beginWalkthrough(ending({}), options);
  t.deepEqual(told, ['begun']);
  t.is(await endWalkthrough(ending({ pods: 0, databases: 0 }), options), 'Nothing is left: pods 0, databases 0');
  const error = await t.throwsAsync(endWalkthrough(ending({ pods: 0, databases: 1 }), options));
  t.like(error, {
    code: 'E#2033',
    message: 'objects are left',
    hint: 'pods 0\ndatabases 1\nthe lines above name what blocks the deletion; --timeout sets a longer limit',
  });
  await client.close();
  await cluster.close();
});

test('a walkthrough that takes too long is reported with the conditions in its way', async (t) => {
  const { client, cluster } = await aCluster();
  const { clock, timeout } = patience();
  const options = { signal, timeout, clock, client, following: still(failed), say: () => {} };
  const walkthrough = {
    begin: ({ signal: until }: { readonly signal: AbortSignal }) => never(until),
    end: ({ signal: until }: { readonly signal: AbortSignal }) => never(until),
  };
  const beginning = t.throwsAsync(beginWalkthrough(walkthrough, options));
  await clock.advance(timeout);
  t.like(await beginning, {
    code: 'E#2032',
    message: 'not ready within 90 s',
    hint: 'default/shop  DNS  Error: REFUSED\nthe reasons above say what it waits for; --timeout sets a longer limit',
  });
  const end = t.throwsAsync(endWalkthrough(walkthrough, options));
  await clock.advance(timeout);
  t.like(await end, { code: 'E#2033', message: 'not deleted within 90 s: 1 workspace' });
  await client.close();
  await cluster.close();
});
