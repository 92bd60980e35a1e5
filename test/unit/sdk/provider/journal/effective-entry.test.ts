import test from 'ava';
import { outdatedEntry } from '../../../../../sdk/provider/host/mark-outdated-entry.ts';
import { effectiveEntry } from '../../../../../sdk/provider/journal/effective-entry.ts';
import { mirrorAnnotation } from '../../../../../sdk/provider/journal/mirror-encoding.ts';
import { operationKey } from '../../../../../sdk/provider/journal/operation-key.ts';
import { type MirrorRecord, readMirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { aSeal, sealedMirror } from '../../../a-seal.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';

const annotated = (value: string, name = 'shop') =>
  aWorkspace({ name, annotations: { [mirrorAnnotation('DNS')]: value } });
const own = sealedMirror(aWorkspace(), 'DNS', { token: 3, refs: [{ id: 'a' }] });

test('an entry is trusted unless its mirror is newer, or tells of anything where nothing was begun', (t) => {
  const mirror = readMirror(aSeal, annotated(own), 'DNS');
  for (const token of [3, 4]) t.truthy(effectiveEntry(aWorkspace(), anEntry({ token }), mirror));
  t.is(effectiveEntry(aWorkspace(), anEntry({ token: 2 }), mirror), undefined);
  const note = anEntry({ phase: 'none', token: 0 });
  t.is(effectiveEntry(aWorkspace(), note, mirror), undefined);
  for (const harmless of [{ kind: 'none' }, { kind: 'forged' }] as const)
    t.is(effectiveEntry(aWorkspace(), note, harmless), note);
  t.is(effectiveEntry(aWorkspace(), undefined, mirror), undefined);
});

test('an entry that has recorded a mirror is in doubt beside an empty one: it was written before that claim', (t) => {
  const empty = readMirror(aSeal, annotated(sealedMirror(aWorkspace(), 'DNS', { token: 0, refs: [] })), 'DNS');
  for (const phase of ['intent', 'unknown', 'failed', 'done'] as const) {
    const entry = anEntry({ phase, token: 2, mirrored: 1 });
    t.deepEqual(effectiveEntry(aWorkspace(), entry, empty), outdatedEntry(entry));
  }
  for (const known of [
    { phase: 'none', mirrored: 1 },
    { phase: 'gone', mirrored: 1 },
    { mirrored: 0 },
    {},
    { mirrored: 1, lost: true },
  ] as const) {
    const entry = anEntry({ token: 2, ...known });
    t.is(effectiveEntry(aWorkspace(), entry, empty), entry);
  }
});

test('an entry of another uid beside the mirror of another cluster counts as lost, one of this uid does not', (t) => {
  const record = {
    ...{ cluster: 'there', namespace: 'default', name: 'shop', uid: 'uid-there', condition: 'DNS' },
    token: 2,
  };
  const mirror = { kind: 'otherCluster', record: { ...record, refs: [], requestMs: 0 } } as const;
  const there = { ...aWorkspace(), metadata: { ...aWorkspace().metadata, uid: 'uid-there' } };
  t.is(effectiveEntry(aWorkspace(), anEntry({ key: operationKey(there, 'DNS/n', 1) }), mirror), undefined);
  const own = anEntry({ key: operationKey(aWorkspace(), 'DNS/n', 1) });
  t.is(effectiveEntry(aWorkspace(), own, mirror), own);
});

test('an entry of another uid counts as lost beside any mirror that does not prove that uid to be a former one', (t) => {
  const withUid = (uid: string) => ({ ...aWorkspace(), metadata: { ...aWorkspace().metadata, uid } });
  const entry = anEntry({ token: 4, key: operationKey(withUid('former'), 'DNS/n', 1) });
  const mirrorBy = (more: Partial<MirrorRecord>) =>
    readMirror(aSeal, annotated(sealedMirror(aWorkspace(), 'DNS', { token: 3, ...more })), 'DNS');
  for (const mirror of [mirrorBy({}), mirrorBy({ formerly: ['other'] }), { kind: 'none' }, { kind: 'forged' }] as const)
    t.is(effectiveEntry(aWorkspace(), entry, mirror), undefined, mirror.kind);
  for (const mirror of [mirrorBy({ formerly: ['former'] }), mirrorBy({ uid: 'former' })])
    t.is(effectiveEntry(aWorkspace(), entry, mirror), entry, mirror.kind);
  t.is(effectiveEntry(aWorkspace(), { ...entry, key: 'ws-0000000000000000-1' }, mirrorBy({}))?.token, 4);
});
