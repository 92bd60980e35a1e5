import test from 'ava';
import { externalResource } from '../../../../sdk/index.ts';
import type { EnsureContext } from '../../../../sdk/provider/external/ensure-context.ts';
import { findAllOwned, findOwn, recoverObject } from '../../../../sdk/provider/external/find-owned.ts';
import { wantedObjects } from '../../../../sdk/provider/journal/external-objects.ts';
import { Session } from '../../../../sdk/provider/journal/session.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { aWorkspace } from '../../../a-workspace.ts';

type Wanted = { readonly name: string };
type Id = { readonly id: string };

const { signal } = new AbortController();

/**
 * Context of a workspace with the former uid `uid-before`, on a third party that lists things with these marks and reads those that `reads`
 * accepts.
 */
async function context(marks: Readonly<Record<string, string>>, reads: (id: string) => boolean = () => true) {
  const { host } = (await aTargetCluster()).actor([]);
  const workspace = aWorkspace({ guards: { Boxes: { formerly: ['uid-before'] } } });
  const session = new Session(host, workspace, { type: 'Boxes', claim: 'se.quencer.io/boxes', terminating: false });
  const resource = externalResource<Wanted, Id>({
    label: 'box',
    nameOf: ({ name }) => name,
    identity: 'tag',
    find: async ({ mark }) => (marks[mark] === undefined ? undefined : { id: marks[mark] }),
    observe: async ({ id }) => (reads(id) ? { state: {} } : undefined),
    create: async () => ({ id: { id: 'new' } }),
    delete: async () => {},
  });
  const wanted = wantedObjects([{ name: 'a' }, { name: 'b' }], ({ name }) => name);
  return { session, resource, wanted, refs: () => [], guard: async () => {} } as EnsureContext<Wanted, Id>;
}

test('what bears the workspace’s own mark is found first, then what bears that of an earlier uid', async (t) => {
  const own = await context({ 'uid-shop/Boxes/a': 'new', 'uid-before/Boxes/a': 'old' });
  t.deepEqual(await findOwn(own, 'a', signal), { slot: 'a', id: { id: 'new' } });
  const former = await context({ 'uid-before/Boxes/a': 'old' });
  t.deepEqual(await findOwn(former, 'a', signal), { slot: 'a', owner: 'uid-before', id: { id: 'old' } });
  t.is(await findOwn(await context({}), 'a', signal), undefined);
});

test('a resource that cannot list is asked for what an earlier uid had of what is wanted', async (t) => {
  const found = await findAllOwned(await context({ 'uid-before/Boxes/b': 'old', 'uid-shop/Boxes/a': 'new' }), signal);
  t.deepEqual(found, [{ slot: 'b', owner: 'uid-before', id: { id: 'old' } }]);
});

test('what is listed and cannot be read is in doubt, not there', async (t) => {
  const stale = await context({}, () => false);
  await t.throwsAsync(recoverObject(stale, 'hash', { slot: 'a', id: { id: 'x' }, signal }), {
    message: /box a is listed, but reading it says that it is not there/,
  });
  t.deepEqual(await recoverObject(await context({}), 'hash', { slot: 'a', id: { id: 'x' }, signal }), {
    slot: 'a',
    id: { id: 'x' },
    hash: 'hash',
  });
});
