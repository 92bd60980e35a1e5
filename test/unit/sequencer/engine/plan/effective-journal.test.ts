import test from 'ava';
import { encodeMirror, type ProviderHost } from '../../../../../sdk/host/index.ts';
import { defineIntegration, type GuardEntry, mirrorAnnotation } from '../../../../../sdk/index.ts';
import { FencingTokens } from '../../../../../sdk/provider/host/fencing-tokens.ts';
import {
  effectiveWorkspace,
  formerConditionsOf,
  formerMirrorsOf,
  formerRecordsOf,
} from '../../../../../sequencer/engine/plan/effective-journal.ts';
import { aSeal } from '../../../a-seal.ts';
import { anEntry, aWorkspace, type WorkspaceFixture } from '../../../a-workspace.ts';

const claim = 'se.quencer.io/boxes';
const connect = () => ({ reconcile: async () => undefined, terminate: async () => undefined });
const boxes = defineIntegration({ name: 'boxes', condition: 'Crates', after: ['DNS'], handles: () => true, connect });
const { namespace = '', name, uid = '' } = aWorkspace().metadata;
const host = { seal: () => aSeal, fencingTokens: new FencingTokens() } as unknown as ProviderHost;
const mirrorOf = (record: Partial<Parameters<typeof encodeMirror>[1]> = {}): Readonly<Record<string, string>> => {
  const own = {
    cluster: aSeal.cluster,
    namespace,
    name,
    uid,
    condition: 'Boxes',
    claim,
    token: 3,
    refs: [],
    requestMs: 0,
  };
  return encodeMirror(aSeal, { ...own, ...record });
};
const trusted = (
  { finalizers, ...fixture }: WorkspaceFixture & { readonly finalizers?: readonly string[] },
  annotations: Readonly<Record<string, string>>,
) => {
  const workspace = aWorkspace(fixture);
  const mirrored = {
    ...workspace,
    metadata: { ...workspace.metadata, annotations, ...(finalizers && { finalizers }) },
  };
  return effectiveWorkspace(host, mirrored, [boxes]).status?.guards;
};

test('a former condition that has lost its entry has one again, as its mirror tells, also one without ids', (t) => {
  t.like(trusted({}, mirrorOf()), { Boxes: { claim, token: 3, lost: true } });
  t.like(trusted({}, mirrorOf({ token: 0 })), { Boxes: { claim, token: 0, lost: true } });
  t.like(trusted({}, mirrorOf({ uid: 'earlier' })), { Boxes: { claim, lost: true } });
});

test('an entry that was put back from before the mirror of a former condition is not trusted, also one of another integration', (t) => {
  const none = anEntry({ phase: 'none', token: 2 });
  t.like(trusted({ guards: { Boxes: none } }, mirrorOf()), { Boxes: { claim, token: 3, lost: true } });
  const others = anEntry({ claim: 'se.quencer.io/other', token: 2 });
  t.like(trusted({ guards: { Boxes: others } }, mirrorOf()), { Boxes: { claim, token: 3, lost: true } });
  for (const entry of [
    { ...none, token: 3 },
    { ...others, token: 3 },
  ])
    t.deepEqual(trusted({ guards: { Boxes: entry } }, mirrorOf())?.Boxes, entry);
});

test('the end of another integration before this one was claimed there is not trusted either', (t) => {
  const end = anEntry({ claim: 'se.quencer.io/other', phase: 'gone', token: 9 });
  t.like(trusted({ guards: { Boxes: end } }, mirrorOf({ token: 0 })), { Boxes: { claim, token: 0, lost: true } });
});

test('one that has its entry keeps it', (t) => {
  const entry = anEntry({ claim, token: 7 });
  t.deepEqual(trusted({ guards: { Boxes: entry } }, mirrorOf())?.Boxes, entry);
});

test('its own condition that has lost its entry and its finalizer has one again too, also one without ids', (t) => {
  for (const token of [0, 3]) {
    const own = mirrorOf({ condition: 'Crates', token });
    t.like(trusted({}, own), { Crates: { claim, token, lost: true } });
    t.deepEqual(trusted({ finalizers: [claim] }, own) ?? {}, {});
    const entry = anEntry({ phase: 'none', token: 3 });
    t.deepEqual(trusted({ guards: { Crates: entry } }, own), { Crates: entry });
  }
  t.deepEqual(trusted({}, mirrorOf({ condition: 'Crates', uid: 'earlier' })) ?? {}, {});
});

test('conditions of others, copies and forgeries are not former ones', (t) => {
  const [forged] = Object.entries(mirrorOf()).map(([key, text]) => ({ [key]: text.replace('"token":3', '"token":4') }));
  const none = [mirrorOf({ claim: 'se.quencer.io/other' }), mirrorOf({ name: 'other' }), forged];
  for (const annotations of none) t.deepEqual(trusted({}, annotations!) ?? {}, {});
});

const under = (entry: Partial<GuardEntry>, type = 'Boxes') =>
  formerConditionsOf(aWorkspace({ guards: { [type]: { claim: 'se.quencer.io/boxes', ...entry } } }), boxes).map(
    ({ condition }) => condition,
  );

test('a condition whose journal the integration has written, and that is not its own any more, is a former one', (t) => {
  t.deepEqual(under({}), ['Boxes']);
  t.deepEqual(under({ phase: 'gone', late: [{ id: 1 }] }), ['Boxes']);
  t.deepEqual(under({}, 'Crates'), []);
  t.deepEqual(under({ claim: 'se.quencer.io/other' }), []);
});

test('a condition whose journal was put back to another integration is a former one of that which its mirror names', (t) => {
  const others = (entry: Partial<GuardEntry>, claim?: string) => {
    const workspace = aWorkspace({ guards: { Boxes: { claim: 'se.quencer.io/other', ...entry } } });
    const annotations = mirrorOf({ token: 0, ...(claim !== undefined && { claim }) });
    return formerConditionsOf({ ...workspace, metadata: { ...workspace.metadata, annotations } }, boxes).length;
  };
  t.is(others({ phase: 'intent' }), 1);
  t.is(others({ phase: 'done' }), 1);
  t.is(others({ phase: 'intent' }, 'se.quencer.io/other'), 0);
  t.is(others({ phase: 'gone' }), 0, 'its end is not trusted: the entry counts as lost');
});

test('one where nothing was begun, or nothing is left, is none', (t) => {
  t.deepEqual(under({ phase: 'none' }), []);
  t.deepEqual(under({ phase: 'gone' }), []);
});

test('it is removed like one that is not requested, and waits for none', (t) => {
  const [former] = formerConditionsOf(aWorkspace({ guards: { Boxes: { claim: 'se.quencer.io/boxes' } } }), boxes);
  t.like(former, { name: 'boxes', condition: 'Boxes', after: [] });
  t.false(former?.handles(aWorkspace()));
});

test('a mirror of which nothing is left besides is told apart: it goes before anything is begun', (t) => {
  const left = (entry: Partial<GuardEntry>, type = 'Boxes') => {
    const workspace = aWorkspace({ guards: { Boxes: { claim: 'se.quencer.io/boxes', ...entry } } });
    const annotations = { [mirrorAnnotation(type)]: '{}' };
    const mirrored = { ...workspace, metadata: { ...workspace.metadata, annotations } };
    return formerMirrorsOf(mirrored, boxes).map(({ condition }) => condition);
  };
  t.deepEqual(left({ phase: 'gone' }), ['Boxes']);
  t.deepEqual(left({ phase: 'gone', late: [{ id: 1 }] }), []);
  t.deepEqual(left({}), []);
  t.deepEqual(left({ phase: 'gone' }, 'Crates'), []);
});

test('what is left of a former condition is its entry, or its mirror', (t) => {
  const left = (phase: GuardEntry['phase'], mirror: string) => {
    const workspace = aWorkspace({ guards: { Boxes: { claim: 'se.quencer.io/boxes', phase } } });
    const annotations = { [mirrorAnnotation(mirror)]: '{}' };
    return formerRecordsOf({ ...workspace, metadata: { ...workspace.metadata, annotations } }, boxes).length;
  };
  t.is(left('done', 'Boxes'), 1);
  t.is(left('gone', 'Boxes'), 1);
  t.is(left('gone', 'Crates'), 0);
});
