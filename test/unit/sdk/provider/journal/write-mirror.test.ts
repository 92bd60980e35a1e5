import test from 'ava';
import { applyPatch } from 'rfc6902';
import { type JsonPatchOperation, testsHold, Workspace } from '../../../../../sdk/index.ts';
import { mirrorAnnotation } from '../../../../../sdk/provider/journal/mirror-encoding.ts';
import { readMirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { Session } from '../../../../../sdk/provider/journal/session.ts';
import {
  type MirrorWrite,
  mirrorPatch,
  nextRecord,
  nextRefs,
  writeMirror,
} from '../../../../../sdk/provider/journal/write-mirror.ts';
import { aSeal, sealedMirror } from '../../../a-seal.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';

const annotated = (text: string) => aWorkspace({ annotations: { [mirrorAnnotation('DNS')]: text } });
const holding = (...ids: readonly string[]) =>
  annotated(sealedMirror(aWorkspace(), 'DNS', { refs: ids.map((id) => ({ id })) }));
const scope = { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false };
const returned = { holder: 'one/a', status: 'Completed', reason: 'made' } as const;

async function recordAfter(workspace: Workspace, keeping: Partial<MirrorWrite>) {
  const { host } = (await aTargetCluster()).actor([]);
  return nextRecord(new Session(host, workspace, scope), { entry: anEntry(), refs: [], requestMs: 0, ...keeping });
}

test('while an attempt is unresolved nothing is dropped; with its outcome goes what it knew of and does not name, and nothing else', (t) => {
  const mirror = readMirror(aSeal, holding('old', 'lost'), 'DNS');
  const refs = [{ id: 'new' }];
  const entry = anEntry({ refs: [{ id: 'old' }] });
  t.deepEqual(nextRefs(mirror, { entry, refs }), [{ id: 'old' }, { id: 'lost' }, { id: 'new' }]);
  t.deepEqual(nextRefs(mirror, { entry, refs, outcome: returned }), [{ id: 'lost' }, { id: 'new' }]);
});

test('what a deletion has removed goes with its outcome, and not before', (t) => {
  const mirror = readMirror(aSeal, holding('a', 'b'), 'DNS');
  const entry = anEntry({ op: 'delete', refs: [{ id: 'a' }, { id: 'b' }] });
  t.deepEqual(nextRefs(mirror, { entry, refs: [{ id: 'a' }], outcome: returned }), [{ id: 'a' }]);
  t.deepEqual(nextRefs(mirror, { entry, refs: [{ id: 'a' }] }), [{ id: 'a' }, { id: 'b' }]);
});

test('nothing is written that is there already; a changed id, an announcement and the end of one are', async (t) => {
  const entry = anEntry({ refs: [{ id: 'a' }] });
  t.is(await recordAfter(holding('a'), { entry, refs: [{ id: 'a' }], outcome: returned }), undefined);
  t.is(await recordAfter(aWorkspace(), {}), undefined);
  t.like(await recordAfter(holding('a'), { entry, refs: [{ id: 'b' }] }), { refs: [{ id: 'a' }, { id: 'b' }] });
  const announced = await recordAfter(holding('a'), { entry, refs: [{ id: 'a' }], announce: true });
  t.like(announced, { token: 1, outcome: undefined, open: { op: 'create', holder: 'one/a' } });
  const open = annotated(sealedMirror(aWorkspace(), 'DNS', { ...announced! }));
  const ended = await recordAfter(open, { entry, refs: [{ id: 'a' }], outcome: returned });
  t.like(ended, { open: undefined, outcome: { status: 'Completed' } });
});

test('an attempt that was taken over adds its ids, and leaves what came after it as it is', async (t) => {
  const newer = annotated(sealedMirror(aWorkspace(), 'DNS', { token: 5, refs: [{ id: 'b' }], outcome: returned }));
  const late = await recordAfter(newer, { entry: anEntry({ token: 2 }), refs: [{ id: 'a' }] });
  t.like(late, { token: 5, refs: [{ id: 'b' }, { id: 'a' }], outcome: { holder: 'one/a' } });
});

function applied(workspace: Workspace, operations: readonly JsonPatchOperation[]): Workspace {
  const copy = structuredClone(workspace);
  const changes = operations.filter(({ op }) => op !== 'test');
  const errors = applyPatch(copy, changes as Parameters<typeof applyPatch>[1]).filter((error) => error !== null);
  if (errors.length > 0) throw errors[0];
  return copy;
}

test('what is written is read back; the patch is refused once the mirror is another one', (t) => {
  const texts = { [mirrorAnnotation('DNS')]: sealedMirror(aWorkspace(), 'DNS', { refs: [{ id: 'x' }] }) };
  for (const before of [aWorkspace(), aWorkspace({ annotations: {} }), holding('a')]) {
    const patch = mirrorPatch(before, 'DNS', texts);
    t.true(testsHold(before, patch));
    const after = applied(before, patch);
    t.like(readMirror(aSeal, after, 'DNS'), { kind: 'own', record: { refs: [{ id: 'x' }] } });
    t.false(testsHold(after, patch));
    t.is(readMirror(aSeal, applied(after, mirrorPatch(after, 'DNS', undefined)), 'DNS').kind, 'none');
  }
});

test('a mirror that others change at every moment is not tried without an end: its writer comes again later', async (t) => {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const session = new Session(host, await stage.create(), scope);
  let patches = 0;
  stage.cluster.intercept(async (request, next) => {
    if (request.headers['user-agent'] !== 'one' || request.method !== 'PATCH') return next(request);
    patches += 1;
    const annotations = { [mirrorAnnotation('DNS')]: `"changed ${patches}"` };
    await stage.client.patch(Workspace, session.key, { type: 'merge', value: { metadata: { annotations } } });
    return next(request);
  });
  const write = { entry: anEntry(), refs: [{ id: 'a' }], requestMs: 0 };
  await t.throwsAsync(writeMirror(session, write), { name: 'StaleError', message: /8 times in a row/ });
  t.is(patches, 9);
});
