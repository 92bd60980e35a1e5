import test from 'ava';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { type JsonPatchOperation, test as tested, testsHold, type Workspace } from '../../../../../sdk/index.ts';
import { setEntry, setRefs, testEntry } from '../../../../../sdk/provider/journal/entry-patch.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ slot: `s${from + index}`, id: { n: from + index } }));
const holding = (refs: readonly object[], more: object = {}): Workspace =>
  aWorkspace({ guards: { DNS: { ...more, refs: refs as never } } });

/** Workspace after a patch; undefined when one of its tests fails. */
function applied(workspace: Workspace, operations: readonly JsonPatchOperation[]): Workspace | undefined {
  if (!testsHold(workspace, operations)) return undefined;
  const after = structuredClone(workspace) as Workspace;
  const changes = operations.filter(({ op }) => op !== 'test') as Parameters<typeof applyPatch>[1];
  const errors = applyPatch(after, structuredClone(changes)).filter((error) => error !== null);
  if (errors.length > 0) throw errors[0];
  return after;
}

const some = fc.uniqueArray(fc.nat(40), { maxLength: 40 }).map((all) => all.map((n) => ({ slot: `s${n}`, id: { n } })));

test('whatever ids were there and are to be there, the entry is as wanted afterwards, and nothing else is left', (t) => {
  fc.assert(
    fc.property(some, some, (before, after) => {
      const workspace = holding(before, { token: 1, cause: 'old' });
      const entry = anEntry({ token: 2, holder: 'two/b', refs: after as never });
      const written = applied(workspace, setEntry(workspace, { type: 'DNS', entry }));
      t.deepEqual(written?.status?.guards?.DNS, entry);
      t.deepEqual(Object.keys(written?.status ?? {}), Object.keys(workspace.status ?? {}));
      const refs = applied(workspace, setRefs(workspace.status?.guards?.DNS, 'DNS', after))?.status?.guards?.DNS?.refs;
      t.deepEqual(refs, after as never);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('an entry of many ids is tested without them, but for the last; any other change of it is noticed', (t) => {
  const workspace = holding(numbered(0, 100));
  const tests = testEntry(workspace, 'DNS');
  t.true(testsHold(workspace, tests));
  t.true(JSON.stringify(tests).length < 1_000);
  const entry = workspace.status?.guards?.DNS;
  const changes = [
    { token: 9 },
    { holder: 'x/y' },
    { phase: 'gone' },
    { beat: 7 },
    { late: [] },
    { lost: true },
    { ambiguous: true },
  ];
  for (const change of [...changes, { refs: numbered(0, 99) }, { refs: numbered(1, 101) }])
    t.false(
      testsHold(aWorkspace({ guards: { DNS: { ...entry, ...change } as never } }), tests),
      JSON.stringify(change),
    );
  t.false(testsHold(aWorkspace(), tests));
});

test('a few ids are tested and written whole', (t) => {
  const workspace = holding(numbered(0, 3));
  t.deepEqual(
    testEntry(workspace, 'DNS').map(({ path }) => path),
    ['/status/guards/DNS'],
  );
  t.deepEqual(testEntry(aWorkspace(), 'DNS'), [tested('/metadata/resourceVersion', '10')]);
  const entry = anEntry({ refs: numbered(0, 4) as never });
  t.deepEqual(
    setEntry(workspace, { type: 'DNS', entry }).map(({ op }) => op),
    ['add'],
  );
});

test('one id more, less or changed is one operation, whichever order a server has put its members into', (t) => {
  const workspace = holding(numbered(0, 100).map(({ slot, id }) => ({ id, slot })));
  const all = numbered(0, 100);
  const opsFor = (refs: readonly object[]) =>
    setRefs(workspace.status?.guards?.DNS, 'DNS', refs)
      .filter(({ op }) => op !== 'test')
      .map(({ op, path }) => `${op} ${path}`);
  const path = '/status/guards/DNS/refs';
  t.deepEqual(opsFor(all), []);
  t.deepEqual(opsFor([...all, { slot: 'new' }]), [`add ${path}/100`]);
  t.deepEqual(opsFor(all.filter((_, index) => index !== 40)), [`remove ${path}/40`]);
  t.deepEqual(opsFor(all.map((one, index) => (index === 7 ? { slot: 'x' } : one))), [`replace ${path}/7`]);
});
