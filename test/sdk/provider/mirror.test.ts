import test from 'ava';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import type { JsonPatchOperation, Workspace } from '../../../sdk/index.ts';
import {
  mirrorAnnotation,
  mirrorDiffers,
  mirrored,
  mirrorPatch,
  nextMirror,
  unionOf,
} from '../../../sdk/provider/mirror.ts';
import { anEntry, aWorkspace } from '../../a-workspace.ts';

function applied(workspace: Workspace, operations: readonly JsonPatchOperation[]): Workspace {
  const copy = structuredClone(workspace);
  const changes = operations.filter(({ op, ...rest }) => op !== 'test' || !('value' in rest) || rest.value !== null);
  const errors = applyPatch(copy, changes as Parameters<typeof applyPatch>[1]).filter((error) => error !== null);
  if (errors.length > 0) throw errors[0];
  return copy;
}
const annotated = (value: string) => aWorkspace({ annotations: { [mirrorAnnotation('DNS')]: value } });

test('a mirror damaged by hand holds nothing', (t) => {
  for (const value of ['', '{', '{"a":1}', '[1]', 'null']) t.deepEqual(mirrored(annotated(value), 'DNS'), []);
  t.deepEqual(mirrored(annotated('[{"id":1}]'), 'DNS'), [{ id: 1 }]);
});

test('while an attempt is unresolved nothing is dropped; settled, only what the journal holds stays', (t) => {
  const workspace = annotated('[{"id":"old"},{"id":"lost"}]');
  const refs = [{ id: 'new' }];
  t.deepEqual(nextMirror(workspace, { type: 'DNS', entry: anEntry({ refs: [{ id: 'old' }] }) }, refs), [
    { id: 'old' },
    { id: 'new' },
  ]);
  t.deepEqual(nextMirror(workspace, { type: 'DNS', entry: anEntry({ ambiguous: true }) }, refs), [
    { id: 'old' },
    { id: 'lost' },
    { id: 'new' },
  ]);
});

test('what is written is read back, and then no longer differs', (t) => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.string() }), { minLength: 1, maxLength: 4 }), (refs) => {
      for (const before of [aWorkspace(), aWorkspace({ annotations: {} }), annotated('[{"old":1}]')]) {
        const written = applied(before, mirrorPatch(before, { type: 'DNS', refs }));
        t.deepEqual(mirrored(written, 'DNS'), refs);
        t.false(mirrorDiffers(written, 'DNS', refs));
        t.true(mirrorDiffers(written, 'DNS', [...refs, { id: 'another' }]));
        t.deepEqual(mirrored(applied(written, mirrorPatch(written, { type: 'DNS', refs: [] })), 'DNS'), []);
      }
    }),
  );
});

test('a union holds every id once', (t) =>
  t.deepEqual(unionOf([{ a: 1 }, { b: 1 }], [{ b: 1 }, { c: 1 }]), [{ a: 1 }, { b: 1 }, { c: 1 }]));
