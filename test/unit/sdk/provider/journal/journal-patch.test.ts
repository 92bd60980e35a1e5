import test from 'ava';
import { applyPatch } from 'rfc6902';
import type { JsonPatchOperation, Workspace } from '../../../../../sdk/index.ts';
import {
  beatPatch,
  conditionPatch,
  intentPatch,
  latePatch,
  outcomePatch,
  rewritePatch,
} from '../../../../../sdk/provider/journal/journal-patch.ts';
import { aCondition, anEntry, aWorkspace } from '../../../a-workspace.ts';

const claim = 'se.quencer.io/dns';
const write = {
  type: 'DNS',
  entry: anEntry({ phase: 'intent', token: 2, holder: 'one/b' }),
  condition: aCondition('DNS', 'Locked'),
};

/** Applies a patch atomically, as a server does. */
function applied(workspace: Workspace, operations: readonly JsonPatchOperation[]): Workspace | 'refused' {
  const target = structuredClone(workspace) as Workspace;
  const nulls = operations.filter(({ op, ...rest }) => op === 'test' && 'value' in rest && rest.value === null);
  const at = (path: string) =>
    path
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (value, part) =>
          (value as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        target,
      );
  if (nulls.some(({ path }) => at(path) !== undefined)) return 'refused';
  const rest = operations.filter((operation) => !nulls.includes(operation));
  return applyPatch(target, structuredClone([...rest]) as Parameters<typeof applyPatch>[1]).some(Boolean)
    ? 'refused'
    : target;
}

const fixtures = {
  'no status': aWorkspace({ finalizers: [claim] }),
  'a status without guards and conditions': aWorkspace({ finalizers: ['a/b', claim], status: { host: 'x' } }),
  'an earlier entry and other conditions': aWorkspace({
    finalizers: [claim],
    guards: { DNS: {}, Mail: {} },
    conditions: { Mail: 'Completed' },
  }),
  'everything there': aWorkspace({
    finalizers: [claim],
    guards: { DNS: {} },
    conditions: { Mail: 'Completed', DNS: 'Initialized' },
  }),
};

const actedOn = (workspace: Workspace) => ({ workspace, generation: workspace.metadata.generation });

for (const [title, workspace] of Object.entries(fixtures)) {
  test(`an intent finds its place on ${title}, and disturbs nothing else`, (t) => {
    const after = applied(workspace, intentPatch(actedOn(workspace), claim, write)) as Workspace;
    t.deepEqual(after.status?.guards?.DNS, write.entry);
    t.deepEqual(
      after.status?.conditions?.filter(({ type }) => type === 'DNS'),
      [write.condition],
    );
    t.deepEqual(
      after.status?.conditions?.filter(({ type }) => type !== 'DNS'),
      workspace.status?.conditions?.filter(({ type }) => type !== 'DNS') ?? [],
    );
    t.is(after.status?.host, workspace.status?.host);
  });
}

const base = fixtures['everything there'];
const changed: Readonly<Record<string, Workspace>> = {
  'another uid': { ...base, metadata: { ...base.metadata, uid: 'x' } },
  'another generation': { ...base, metadata: { ...base.metadata, generation: 2 } },
  'a deletion': { ...base, metadata: { ...base.metadata, deletionTimestamp: 'now' } },
  'our claim elsewhere': { ...base, metadata: { ...base.metadata, finalizers: ['a/b', claim] } },
  'another entry': { ...base, status: { ...base.status, guards: { DNS: anEntry({ token: 9 }) } } },
  'a wiped status': aWorkspace({ finalizers: [claim] }),
  'the condition elsewhere': {
    ...base,
    status: { ...base.status, conditions: [...base.status!.conditions!].reverse() },
  },
};
for (const [title, workspace] of Object.entries(changed)) {
  test(`an intent is refused by ${title}`, (t) =>
    t.is(applied(workspace, intentPatch(actedOn(base), claim, write)), 'refused'));
}

test('an outcome is refused once token or holder are another’s', (t) => {
  const held = { token: 1, holder: 'one/a' };
  t.not(applied(base, outcomePatch(base, held, write)), 'refused');
  t.is(applied(base, outcomePatch(base, { ...held, token: 2 }, write)), 'refused');
  t.is(applied(base, outcomePatch(base, { ...held, holder: 'two/a' }, write)), 'refused');
});

test('a wiped entry is written anew only while it is still wiped', (t) => {
  const wiped = aWorkspace({ finalizers: [claim], status: { guards: {} } });
  t.not(applied(wiped, rewritePatch(wiped, write)), 'refused');
  t.is(applied(base, rewritePatch(wiped, write)), 'refused');
});

test('a beat counts up under its own token and holder', (t) => {
  const after = applied(base, beatPatch('DNS', anEntry({ beat: 4 }))) as Workspace;
  t.is(after.status?.guards?.DNS?.beat, 5);
  t.is(applied(base, beatPatch('DNS', anEntry({ token: 3 }))), 'refused');
});

test('late ids are appended to what others have handed over, tested whole', (t) => {
  const entry = anEntry({ late: [{ id: 1 }] });
  const workspace = aWorkspace({ guards: { DNS: entry } });
  t.deepEqual((applied(workspace, latePatch(entry, 'DNS', [{ id: 2 }])) as Workspace).status?.guards?.DNS?.late, [
    { id: 1 },
    { id: 2 },
  ]);
  t.is(applied(aWorkspace({ guards: { DNS: anEntry() } }), latePatch(entry, 'DNS', [{ id: 2 }])), 'refused');
});

test('a condition set alone is refused once its guard has moved', (t) => {
  const condition = aCondition('DNS', 'Completed');
  t.not(applied(base, conditionPatch(base, condition)), 'refused');
  const locked = { ...base, status: { ...base.status, guards: { DNS: anEntry({ phase: 'intent' }) } } };
  t.is(applied(locked, conditionPatch(base, condition)), 'refused');
  const later = { ...base, status: { ...base.status, guards: { DNS: anEntry({ token: 9 }) } } };
  t.is(applied(later, conditionPatch(base, condition)), 'refused', 'though it has come to an end again');
});

test('a condition set alone is refused once a journal entry has come where there was none', (t) => {
  const condition = aCondition('DNS', 'Error');
  const after = aWorkspace({ conditions: { DNS: 'Unknown' }, guards: { DNS: { phase: 'unknown' } } });
  for (const guards of [undefined, {}]) {
    const before = aWorkspace({ conditions: { DNS: 'Initialized' }, ...(guards && { guards }) });
    t.not(applied(before, conditionPatch(before, condition)), 'refused');
    t.is(applied(after, conditionPatch(before, condition)), 'refused');
  }
});
