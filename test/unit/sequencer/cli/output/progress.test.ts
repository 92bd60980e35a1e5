import test from 'ava';
import type { Integration, Workspace } from '../../../../../sdk/index.ts';
import {
  changedLines,
  nextProgress,
  type Progress,
  type ProgressState,
  progressStateOf,
} from '../../../../../sequencer/cli/output/progress.ts';

type Statuses = Readonly<Record<string, string>>;

const aWorkspace = (
  statuses: Statuses,
  more: { readonly metadata?: object; readonly status?: object } = {},
): Workspace =>
  ({
    apiVersion: 'se.quencer.io/v1alpha1',
    kind: 'Workspace',
    metadata: { name: 'shop', namespace: 'default', generation: 2, ...more.metadata },
    spec: {},
    status: {
      observedGeneration: 2,
      phase: 'Deploying',
      conditions: Object.entries(statuses).map(([type, status]) => ({ type, status, reason: `${type} is ${status}` })),
      ...more.status,
    },
  }) as unknown as Workspace;
const deleting = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const dns = { name: 'dns', condition: 'DNS', handles: () => true } as unknown as Integration;
const seen = (former: Progress | undefined, workspace: Workspace | undefined, at: number) =>
  nextProgress(former, { key: 'default/shop', workspace, at }, [dns]);

const standings: readonly (readonly [title: string, workspace: Workspace | undefined, standing: ProgressState])[] = [
  ['one that is not there is gone', undefined, 'gone'],
  ['one without a status moves', { ...aWorkspace({}), status: {} }, 'moving'],
  ['Ready for the latest generation is ready', aWorkspace({ Ready: 'True' }), 'ready'],
  [
    'Ready for an older generation still moves',
    aWorkspace({ Ready: 'True' }, { status: { observedGeneration: 1 } }),
    'moving',
  ],
  ['phase Error is an error', aWorkspace({ Ready: 'False' }, { status: { phase: 'Error' } }), 'error'],
  [
    'an Error for an older generation still moves',
    aWorkspace({}, { status: { phase: 'Error', observedGeneration: 1 } }),
    'moving',
  ],
  ['one being deleted is deleting, ready or not', aWorkspace({ Ready: 'True' }, deleting), 'deleting'],
];
for (const [title, workspace, standing] of standings) test(title, (t) => t.is(progressStateOf(workspace), standing));

test('conditions to come are shown before they are there, Ready last', (t) => {
  t.deepEqual(
    seen(undefined, aWorkspace({ Ready: 'False', Extra: 'Created' }), 0).lines.map(({ condition, status }) => [
      condition,
      status,
    ]),
    [
      ['DNS', 'Initialized'],
      ['Extra', 'Created'],
      ['Ready', 'False'],
    ],
  );
});

test('the time of a line runs from its beginning to its arrival', (t) => {
  let progress = seen(undefined, aWorkspace({}), 100);
  progress = seen(progress, aWorkspace({ DNS: 'In Progress' }), 200);
  t.like(progress.lines[0], { since: 100, until: undefined });
  progress = seen(progress, aWorkspace({ DNS: 'Completed' }), 300);
  progress = seen(progress, aWorkspace({ DNS: 'Completed', Ready: 'True' }), 400);
  t.like(progress.lines[0], { since: 100, until: 300 });
  t.like(progress.lines[1], { since: 100, until: 400 });
});

test('deletion starts the time again, and the end of the workspace ends every line', (t) => {
  let progress = seen(undefined, aWorkspace({ DNS: 'Completed', Ready: 'True' }), 100);
  progress = seen(progress, aWorkspace({ DNS: 'Completed', Ready: 'False' }, deleting), 500);
  t.like(progress.lines[0], { status: 'Completed', since: 500, until: undefined });
  progress = seen(progress, undefined, 900);
  t.like(progress, { state: 'gone' });
  t.like(progress.lines[0], { status: 'Terminated', since: 500, until: 900 });
  t.like(progress.lines[1], { status: 'Gone', since: 500, until: 900 });
});

test('only lines that say something else count as changed', (t) => {
  const first = seen(undefined, aWorkspace({ DNS: 'Created' }), 0);
  t.is(changedLines(undefined, first).length, 2);
  t.deepEqual(changedLines(first, seen(first, aWorkspace({ DNS: 'Created' }), 10)), []);
  t.deepEqual(
    changedLines(first, seen(first, aWorkspace({ DNS: 'Completed' }), 10)).map(({ condition }) => condition),
    ['DNS'],
  );
});
