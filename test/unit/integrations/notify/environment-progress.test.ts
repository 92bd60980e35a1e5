import test from 'ava';
import {
  hasCome,
  hasGone,
  isChanging,
  nameOfCondition,
  progressOf,
} from '../../../../integrations/notify/environment-progress.ts';
import type { ConditionStatus, Workspace } from '../../../../sdk/index.ts';

/** Workspace at generation 2 with these conditions, as `[type, status, generation]`. */
const workspace = (
  conditions: readonly (readonly [string, ConditionStatus, number?])[],
  metadata: object = {},
): Workspace =>
  ({
    metadata: { name: 'shop', namespace: 'default', generation: 2, ...metadata },
    spec: {},
    status: {
      conditions: conditions.map(([type, status, observedGeneration = 2]) => ({ type, status, observedGeneration })),
    },
  }) as unknown as Workspace;

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

for (const { title, of, there, changing } of [
  { title: 'nothing else', of: workspace([]), there: true, changing: false },
  {
    title: 'all there',
    of: workspace([
      ['DNS', 'Completed'],
      ['Components', 'Healthy'],
    ]),
    there: true,
    changing: false,
  },
  {
    title: 'one on its way',
    of: workspace([
      ['DNS', 'Completed'],
      ['Components', 'In Progress'],
    ]),
    there: false,
    changing: true,
  },
  { title: 'one there for an earlier spec', of: workspace([['DNS', 'Completed', 1]]), there: false, changing: true },
  { title: 'one that has failed', of: workspace([['DNS', 'Error']]), there: false, changing: false },
  { title: 'one that asks a person', of: workspace([['DNS', 'Unknown']]), there: false, changing: false },
  {
    title: 'others that tell of it, and Ready',
    of: workspace([
      ['AnnouncedByMail', 'Waiting'],
      ['Announced', 'Locked'],
      ['Silenced', 'Locked'],
      ['Ready', 'False'],
    ]),
    there: true,
    changing: false,
  },
])
  test(`an environment with ${title}`, (t) => {
    t.deepEqual({ there: hasCome(of), changing: isChanging(of) }, { there, changing });
  });

test('an environment is gone once only those that tell of it have a claim', (t) => {
  const with_ = (...finalizers: string[]): Workspace => workspace([], { ...deleted, finalizers });
  t.true(hasGone(with_()));
  t.true(hasGone(with_('se.quencer.io/announced-by-mail', 'se.quencer.io/silenced', 'foregroundDeletion')));
  t.false(hasGone(with_('se.quencer.io/announced-by-mail', 'se.quencer.io/memory-dns')));
  t.true(isChanging(with_('se.quencer.io/memory-dns')));
  t.false(isChanging(with_('se.quencer.io/silenced')));
});

test('its progress changes when all parts are there, and when they are gone', (t) => {
  t.deepEqual(progressOf(workspace([['Components', 'Waiting']])), { come: false, gone: true, changing: true });
  t.deepEqual(progressOf(workspace([])), { come: true, gone: true, changing: false });
});

test('a condition names its integration', (t) => {
  t.is(nameOfCondition('AnnouncedByMail'), 'announced-by-mail');
  t.is(nameOfCondition('Silenced'), 'silenced');
  t.is(nameOfCondition('SilencedAtSite2'), 'silenced-at-site2');
});
