import test from 'ava';
import { type Client, NotFoundError, StaleError, type Workspace } from '../../../../sdk/index.ts';
import { withLiveReadAfterRace } from '../../../../sequencer/run/live-read-after-race.ts';
import { aWorkspace } from '../../a-workspace.ts';

const at = (resourceVersion: string): Workspace => {
  const workspace = aWorkspace({});
  return { ...workspace, metadata: { ...workspace.metadata, resourceVersion } };
};
const gone = new NotFoundError({ code: 404 } as never, { method: 'GET', path: '/' } as never);

/** A reconciler on a server that holds this version, with the versions that it was run with and the errors that it throws in turn. */
function aRun(live: string | undefined, ...errors: readonly (Error | undefined)[]) {
  const runs: (string | undefined)[] = [];
  const reads = { count: 0 };
  const client = {
    async get() {
      reads.count += 1;
      if (live === undefined) throw gone;
      return at(live);
    },
  } as unknown as Client;
  const reconcile = withLiveReadAfterRace(client, async ({ object }) => {
    const error = errors[runs.length];
    runs.push(object?.metadata.resourceVersion);
    if (error !== undefined) throw error;
    return {};
  });
  const { name, namespace = '' } = at('1').metadata;
  const run = (object: Workspace | undefined) =>
    reconcile({ key: { name, namespace }, object, signal: new AbortController().signal } as never).catch(() => {});
  return { run, runs, reads };
}

const stale = new StaleError('changed');

test('without a lost race the cached workspace is used, also after another failure', async (t) => {
  const { run, runs, reads } = aRun('5', new Error('refused'));
  await run(at('1'));
  await run(at('1'));
  t.deepEqual([runs, reads.count], [['1', '1'], 0]);
});

test('after a lost race it is read live until the cache changes', async (t) => {
  const { run, runs, reads } = aRun('5', stale);
  for (const version of ['1', '1', '1', '6', '6']) await run(at(version));
  t.deepEqual([runs, reads.count], [['1', '5', '5', '6', '6'], 2]);
});

test('a live read that equals the cached workspace is the last one', async (t) => {
  const { run, runs, reads } = aRun('1', stale);
  for (const version of ['1', '1', '1']) await run(at(version));
  t.deepEqual([runs, reads.count], [['1', '1', '1'], 1]);
});

test('one that is gone is passed on as such, and its cached object that comes later as it is', async (t) => {
  const { run, runs } = aRun(undefined, stale);
  await run(at('1'));
  await run(at('1'));
  await run(undefined);
  await run(at('9'));
  t.deepEqual(runs, ['1', undefined, undefined, '9']);
});
