import test from 'ava';
import { claimOf, type Integration, type Workspace } from '../../../../sdk/index.ts';
import type { ConditionView } from '../../../../sequencer/page/page-model.ts';
import { viewOf } from '../../../../sequencer/page/workspace-view.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration = (condition: string, after: readonly string[] = []): Integration => ({
  name: condition.toLowerCase(),
  condition,
  after,
  handles: () => true,
  connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
});
const integrations = [integration('Disk'), integration('DNS', ['Disk']), integration('Mail', ['Disk', 'DNS'])];
const history = { spansOf: () => [], journalChangedAt: () => 7 };

function conditionsOf(workspace: Workspace, redact = (text: string) => text): Record<string, ConditionView> {
  const view = viewOf(workspace, { integrations, history, events: [], redact });
  return Object.fromEntries(view.conditions.map((one) => [one.type, one]));
}

const finalizers = integrations.map(({ name }) => claimOf(name));
const guards = { Disk: {}, DNS: { phase: 'none' }, Mail: { phase: 'none' } } as const;

test('each condition tells what it comes after, what it waits for and what is next', (t) => {
  const { Disk, DNS, Mail, Ready } = conditionsOf(
    aWorkspace({
      finalizers,
      guards,
      status: { phase: 'Deploying' },
      conditions: { Disk: 'Completed', DNS: 'In Progress', Mail: 'Waiting', Ready: 'False' },
    }),
  );
  t.deepEqual([Disk?.after, Disk?.waitsFor], [[], []]);
  t.deepEqual([DNS?.after, DNS?.waitsFor], [['Disk'], []]);
  t.deepEqual([Mail?.after, Mail?.waitsFor, Mail?.next], [['Disk', 'DNS'], ['DNS'], 'wait for DNS']);
  t.deepEqual([Ready?.after, Ready?.waitsFor], [['Mail'], ['DNS', 'Mail']]);
  t.regex(Disk?.next ?? '', /^nothing/);
  t.regex(DNS?.next ?? '', /integration/);
  t.true(DNS?.claimed);
});

test('on the way down each waits for those that come after it', (t) => {
  const gone = { ...guards, Disk: { phase: 'done' }, DNS: { phase: 'done' }, Mail: { phase: 'gone' } } as const;
  const { Disk, DNS, Mail } = conditionsOf(
    aWorkspace({
      finalizers,
      guards: gone,
      deleting: true,
      conditions: { Disk: 'Completed', DNS: 'Completed', Mail: 'Terminated' },
    }),
  );
  t.deepEqual([Disk?.waitsFor, DNS?.waitsFor, Mail?.waitsFor], [['DNS'], [], []]);
  t.regex(DNS?.next ?? '', /deletes its external objects/);
});

test('an attempt under way is waited for, one with an unknown outcome needs a person', (t) => {
  const attempts = { Disk: { phase: 'intent' }, DNS: { phase: 'unknown' }, Mail: { phase: 'none' } } as const;
  const { Disk, DNS } = conditionsOf(aWorkspace({ finalizers, guards: attempts, conditions: { DNS: 'Unknown' } }));
  t.regex(Disk?.next ?? '', /complete the running attempt/);
  t.is(DNS?.next, 'wait for a person: sequencer resolve shop DNS');
});

test('a paused workspace does nothing, and one without integrations shows what it has', (t) => {
  const paused = conditionsOf(
    aWorkspace({ conditions: { Disk: 'Waiting' }, annotations: { 'se.quencer.io/paused': 'true' } }),
  );
  t.regex(paused.Disk?.next ?? '', /paused/);
  const view = viewOf(aWorkspace({ conditions: { Old: 'Completed' } }), {
    integrations: [],
    history,
    events: undefined,
    redact: (text) => text,
  });
  t.deepEqual(
    view.conditions.map(({ type, integration: name }) => [type, name]),
    [
      ['Old', undefined],
      ['Ready', undefined],
    ],
  );
  t.is(view.events, undefined);
});

test('the journal shows attempts, holder and ids, without its input and without secrets', (t) => {
  const secret = 'hunter2-hunter2';
  const workspace = aWorkspace({
    finalizers,
    guards: {
      Disk: {
        phase: 'intent',
        attempt: 3,
        beat: 4,
        ambiguous: true,
        input: { size: 'input-is-not-shown' },
        refs: [{ id: 'disk-1', note: secret, password: 'never' }],
        cause: `refused: ${secret}`,
      },
    },
    status: { outputs: { Disk: { values: { path: `/${secret}` }, secrets: { key: { name: 'disk', key: 'token' } } } } },
    conditions: { Disk: 'Locked' },
  });
  const redact = (text: string) => text.replaceAll(secret, '***');
  const { Disk } = conditionsOf(workspace, redact);
  t.deepEqual([Disk?.journal?.attempt, Disk?.journal?.beat, Disk?.journal?.changeSeenAt], [3, 4, 7]);
  t.deepEqual(Disk?.journal?.ids, ['{"id":"disk-1","note":"***","password":"***"}']);
  t.deepEqual(Disk?.journal?.doubts, ['an attempt ended without a known outcome']);
  t.deepEqual(Disk?.outputs, [
    { name: 'path', value: '/***', secret: false },
    { name: 'key', value: 'Secret disk, key token', secret: true },
  ]);
  const all = JSON.stringify(conditionsOf(workspace, redact));
  t.notRegex(all, /hunter2|input-is-not-shown|never/);
});

test('an integration whose handles fails does not take the page with it', (t) => {
  const broken: Integration = {
    ...integration('Broken'),
    handles: () => {
      throw new Error('no');
    },
  };
  const view = viewOf(aWorkspace(), { integrations: [broken], history, events: [], redact: (text) => text });
  t.is(view.conditions[0]?.type, 'Broken');
});
