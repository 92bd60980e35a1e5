import test from 'ava';
import { RefusedError, StaleError } from '../../../../sdk/errors.ts';
import type { Reconciler } from '../../../../sdk/reconcile/reconciler.ts';
import { draftOf, statusChanges } from '../../../../sdk/reconcile/status.ts';
import { denyingPatches } from '../a-server.ts';
import { Parent, theParents } from './fixtures/a-parent.ts';

const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: 'u' } };

test('a patch holds the fields that differ, and tests what they were', (t) => {
  t.deepEqual(statusChanges(object, { a: 1, b: { c: 1 }, d: 1 }, { a: 2, b: { c: 1 }, e: 1 }), [
    { op: 'test', path: '/metadata/uid', value: 'u' },
    { op: 'test', path: '/status/a', value: 1 },
    { op: 'add', path: '/status/a', value: 2 },
    { op: 'test', path: '/status/d', value: 1 },
    { op: 'remove', path: '/status/d' },
    { op: 'test', path: '/status/e', value: null },
    { op: 'add', path: '/status/e', value: 1 },
  ]);
});

test('a status that was not there is begun', (t) => {
  t.deepEqual(statusChanges(object, undefined, { a: 1 }).slice(1), [
    { op: 'test', path: '/status', value: null },
    { op: 'add', path: '/status', value: {} },
    { op: 'add', path: '/status/a', value: 1 },
  ]);
});

test('nothing that differs is not a patch, however it is written', (t) => {
  t.deepEqual(statusChanges(object, { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 }, gone: undefined }), []);
  t.deepEqual(statusChanges(object, undefined, {}), []);
});

const noting =
  (note: string, meanwhile: () => Promise<unknown> = async () => undefined): Reconciler<Parent> =>
  async (request) => {
    const draft = draftOf(request, request.object!);
    draft.value.note = note;
    await meanwhile();
    await draft.write();
    return {};
  };

test('SDKX-c4: others may change other fields meanwhile; the same field is a race', async (t) => {
  const { client, create, run, read, key } = await theParents();
  await create('a');
  await run(noting('first'));
  const set = (status: object) => () =>
    client.patch(Parent, key('a'), { type: 'merge', value: { status } }, { subresource: 'status' });
  await run(noting('second', set({ phase: 'theirs' })));
  t.like((await read()).status, { note: 'second', phase: 'theirs' });
  await t.throwsAsync(run(noting('third', set({ note: 'theirs' }))), { instanceOf: StaleError });
});

test('SDKX-c4: an object that is gone by then is left alone', async (t) => {
  const { create, remove, run } = await theParents();
  await create('a', { finalizers: [] });
  await t.notThrowsAsync(run(noting('late', () => remove())));
});

test('a webhook that denies the status with 422 is not a race: its words are in the error', async (t) => {
  const { client, create, run } = await theParents();
  await create('a');
  const denied: Reconciler<Parent> = (request) => noting('first')({ ...request, client: denyingPatches(client) });
  await t.throwsAsync(run(denied), { instanceOf: RefusedError, message: /no-changes\.example\.com/ });
});
