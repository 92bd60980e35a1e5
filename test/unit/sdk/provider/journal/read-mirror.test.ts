import test from 'ava';
import fc from 'fast-check';
import { createSeal, type Mirror } from '../../../../../sdk/host/index.ts';
import { noSeal } from '../../../../../sdk/provider/host/seal.ts';
import { encodeMirror, mirrorAnnotation } from '../../../../../sdk/provider/journal/mirror-encoding.ts';
import { formerUids, readMirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { aSeal, sealedMirror } from '../../../a-seal.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const annotated = (value: string, name = 'shop') =>
  aWorkspace({ name, annotations: { [mirrorAnnotation('DNS')]: value } });
const own = sealedMirror(aWorkspace(), 'DNS', { token: 3, refs: [{ id: 'a' }] });

test('what the operator has written for this workspace is trusted', (t) => {
  t.like(readMirror(aSeal, annotated(own), 'DNS'), { kind: 'own', record: { token: 3, refs: [{ id: 'a' }] } });
  t.deepEqual(readMirror(aSeal, aWorkspace(), 'DNS'), { kind: 'none' });
});

const forgeries: readonly (readonly [title: string, text: string])[] = [
  ['ids without a signature', '[{"id":"db-1"}]'],
  ['a record without a signature', JSON.stringify({ ...JSON.parse(own), seal: undefined })],
  ['another id under the same signature', own.replace('"id":"a"', '"id":"b"')],
  ['another token under the same signature', own.replace('"token":3', '"token":4')],
  ['the mirror of another condition', sealedMirror(aWorkspace(), 'Mail')],
  ['a signature that is cut short', own.slice(0, -6).concat('"}')],
  ['no JSON', '{'],
  ['nothing', ''],
  ['JSON of another kind', 'null'],
  ['brackets in brackets', '['.repeat(100_000)],
];
for (const [title, text] of forgeries)
  test(`${title} is a forgery`, (t) => t.is(readMirror(aSeal, annotated(text), 'DNS').kind, 'forged'));

test('no change of a single character of a mirror is trusted', (t) => {
  fc.assert(
    fc.property(fc.nat(own.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      const changed = own.slice(0, at) + character + own.slice(at + 1);
      const { kind } = readMirror(aSeal, annotated(changed), 'DNS');
      const isSame = (() => {
        try {
          return JSON.stringify(JSON.parse(changed)) === own;
        } catch {
          return false;
        }
      })();
      t.true(isSame || kind === 'forged' || kind === 'unverified', changed);
    }),
  );
});

test('a mirror of another name is a copy, one of another cluster is somewhere else, one of another uid was restored', (t) => {
  t.is(readMirror(aSeal, annotated(own, 'blog'), 'DNS').kind, 'foreign');
  const elsewhere = createSeal('another-cluster', [Buffer.alloc(32, 7)]);
  t.is(readMirror(elsewhere, annotated(own), 'DNS').kind, 'otherCluster');
  const before = sealedMirror(aWorkspace(), 'DNS', { uid: 'uid-before' });
  t.is(readMirror(aSeal, annotated(before), 'DNS').kind, 'predecessor');
});

test('a key that is added signs, and the former one still verifies; without a key, or with another one, nothing is trusted but names', (t) => {
  const [first, second] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  const rotated = createSeal('the-cluster', [first, second]);
  t.is(readMirror(rotated, annotated(own), 'DNS').kind, 'own');
  const { record } = readMirror(aSeal, annotated(own), 'DNS') as Extract<Mirror, { kind: 'own' }>;
  const signed = encodeMirror(rotated, record)[mirrorAnnotation('DNS')]!;
  t.is(readMirror(createSeal('the-cluster', [second]), annotated(signed), 'DNS').kind, 'own');
  const slots = sealedMirror(aWorkspace(), 'DNS', { refs: [{ slot: 'a', id: { id: 1 } }] });
  for (const seal of [noSeal, createSeal('the-cluster', [second])])
    t.deepEqual(readMirror(seal, annotated(slots), 'DNS'), { kind: 'unverified', slots: ['a'] });
  const unsigned = encodeMirror(noSeal, record)[mirrorAnnotation('DNS')]!;
  t.is(readMirror(noSeal, annotated(unsigned), 'DNS').kind, 'unverified');
  t.is(readMirror(aSeal, annotated(unsigned), 'DNS').kind, 'forged');
});

test('a mirror that is older than the journal knows was put back, and is not trusted', (t) => {
  const at = (mirrored: number) =>
    aWorkspace({ guards: { DNS: { token: 9, mirrored } }, annotations: { [mirrorAnnotation('DNS')]: own } });
  t.is(readMirror(aSeal, at(3), 'DNS').kind, 'own');
  t.is(readMirror(aSeal, at(4), 'DNS').kind, 'forged');
});

test('a mirror that names no more than its owner is none to a reader without the key', (t) => {
  const blank = sealedMirror(aWorkspace(), 'DNS', { token: 0 });
  t.is(readMirror(noSeal, annotated(blank), 'DNS').kind, 'none');
  t.is(readMirror(aSeal, annotated(blank), 'DNS').kind, 'own');
});

test('earlier uids are remembered, the latest last, and not without end', (t) => {
  const many = Array.from({ length: 12 }, (_, index) => `uid-${index}`);
  const text = sealedMirror(aWorkspace(), 'DNS', { uid: 'uid-before', formerly: many });
  const uids = formerUids(readMirror(aSeal, annotated(text), 'DNS'), ['uid-first']);
  t.is(uids.length, 8);
  t.is(uids.at(-1), 'uid-before');
});
