import test from 'ava';
import { applyPatch } from 'rfc6902';
import type { MirrorRecord, Ref, Workspace } from '../../../../../sdk/index.ts';
import {
  encodeMirror,
  isMirrorAnnotation,
  mirrorAnnotation,
  storedMirrorTexts,
} from '../../../../../sdk/provider/journal/mirror-encoding.ts';
import { readMirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { mirrorPatch, removeMirror } from '../../../../../sdk/provider/journal/write-mirror.ts';
import { aSeal } from '../../../a-seal.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const ids = (count: number, from = 0): readonly Ref[] =>
  Array.from({ length: count }, (_, index) => ({ slot: `s${from + index}`, id: { name: `n${from + index}` } }));
const recordOf = (refs: readonly Ref[], token = 1): MirrorRecord => ({
  ...{ cluster: aSeal.cluster, namespace: 'default', name: 'shop', uid: aWorkspace().metadata.uid ?? '' },
  ...{ condition: 'DNS', token, refs, requestMs: 0 },
});
const textsOf = (count: number) => encodeMirror(aSeal, recordOf(ids(count)));
const withTexts = (annotations: Readonly<Record<string, string>>) => aWorkspace({ annotations });
const page = (number: number) => `external-${number}.se.quencer.io/DNS`;

function applied(workspace: Workspace, refs: readonly Ref[], token: number) {
  const patch = mirrorPatch(workspace, 'DNS', encodeMirror(aSeal, recordOf(refs, token)));
  const after = structuredClone(workspace) as Workspace;
  const changes = patch.filter(({ op }) => op !== 'test') as Parameters<typeof applyPatch>[1];
  return {
    after,
    errors: applyPatch(after, changes).filter((error) => error !== null),
    size: JSON.stringify(patch).length,
  };
}

test('ids are read back, however many there are', (t) => {
  for (const count of [0, 1, 16, 17, 32, 33, 200]) {
    const texts = textsOf(count);
    t.is(Object.keys(texts).length, Math.max(1, Math.ceil(count / 16)), `${count}`);
    const mirror = readMirror(aSeal, withTexts(texts), 'DNS');
    t.like(mirror, { kind: 'own' });
    t.deepEqual('record' in mirror && mirror.record.refs, ids(count));
    t.true(Object.keys(texts).every(isMirrorAnnotation));
  }
});

test('a page that is missing, changed, exchanged or of another workspace makes the mirror a forgery', (t) => {
  const texts = textsOf(40);
  const others = encodeMirror(aSeal, recordOf(ids(40, 100)));
  const { [page(1)]: first = '', [page(2)]: second = '', ...head } = texts;
  const kinds = [
    { ...head, [page(2)]: second },
    { ...texts, [page(1)]: second },
    { ...texts, [page(1)]: second, [page(2)]: first },
    { ...texts, [page(1)]: others[page(1)] ?? '' },
    { ...texts, [page(1)]: first.replace('n0', 'n9') },
    { ...texts, [page(1)]: '['.repeat(100_000) },
  ].map((changed) => readMirror(aSeal, withTexts(changed), 'DNS').kind);
  t.deepEqual(kinds, ['forged', 'forged', 'forged', 'forged', 'forged', 'forged']);
  t.is(readMirror(aSeal, withTexts({ ...texts, [page(3)]: first }), 'DNS').kind, 'own', 'a page that no mirror names');
});

test('the pages of a condition are its own', (t) => {
  const more = {
    [mirrorAnnotation('Mail')]: '{}',
    'external-1.se.quencer.io/Mail': '[]',
    'external-1.example.com/DNS': '[]',
  };
  const workspace = withTexts({ ...textsOf(20), ...more });
  t.deepEqual(Object.keys(storedMirrorTexts(workspace, 'DNS')).sort(), [page(1), mirrorAnnotation('DNS')]);
  t.deepEqual(
    removeMirror(workspace, 'DNS').map(({ op }) => op),
    ['remove', 'remove'],
  );
  t.deepEqual(removeMirror(aWorkspace(), 'DNS'), []);
});

test('what is written for one more id does not grow with their number, and nothing is left of pages that are not needed any more', (t) => {
  let workspace: Workspace = aWorkspace();
  const sizes: number[] = [];
  for (let count = 1; count <= 200; count += 1) {
    const { after, errors, size } = applied(workspace, ids(count), count);
    t.deepEqual(errors, []);
    sizes.push(size);
    workspace = after;
  }
  const sum = (from: number, to: number) => sizes.slice(from, to).reduce((total, size) => total + size, 0);
  t.true(sum(150, 200) < 2 * sum(0, 50), `${sum(150, 200)} and ${sum(0, 50)} characters`);
  for (const count of [190, 33, 32, 1, 0]) {
    const { after, errors } = applied(workspace, ids(count), 1_000 - count);
    t.deepEqual(errors, []);
    t.is(Object.keys(after.metadata.annotations ?? {}).length, Math.max(1, Math.ceil(count / 16)));
    t.like(readMirror(aSeal, after, 'DNS'), { kind: 'own', record: { refs: { length: count } } });
    workspace = after;
  }
});
