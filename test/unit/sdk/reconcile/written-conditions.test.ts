import test from 'ava';
import type { KubeObject } from '../../../../sdk/api/object.ts';
import { chain } from '../../../../sdk/reconcile/chain.ts';
import { finalizer } from '../../../../sdk/reconcile/finalizer.ts';
import { opinionated } from '../../../../sdk/reconcile/grafana-app-sdk/opinionated.ts';
import { simple } from '../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import { typed } from '../../../../sdk/reconcile/grafana-app-sdk/typed.ts';
import { stepper } from '../../../../sdk/reconcile/okt/stepper.ts';
import { phases } from '../../../../sdk/reconcile/operator-sdk-extra/phases.ts';
import { remote } from '../../../../sdk/reconcile/operator-sdk-extra/remote.ts';
import { sentinel } from '../../../../sdk/reconcile/operator-sdk-extra/sentinel.ts';
import { resources } from '../../../../sdk/reconcile/operatorkit/resource.ts';
import { withRetry } from '../../../../sdk/reconcile/operatorkit/retry.ts';
import { resourceSet, router } from '../../../../sdk/reconcile/operatorkit/router.ts';
import type { StatusOptions } from '../../../../sdk/reconcile/pass.ts';
import { pausable } from '../../../../sdk/reconcile/pause.ts';
import { done, type Reconciler } from '../../../../sdk/reconcile/reconciler.ts';
import { manageError, manageSuccess } from '../../../../sdk/reconcile/success-condition.ts';
import { declareConditions } from '../../../../sdk/reconcile/written-conditions.ts';

type Any = Reconciler<KubeObject>;

const managed = (condition?: string): Any =>
  stepper({ SuccessManager: manageSuccess, ErrorManager: manageError }, condition === undefined ? {} : { condition });
const outside = (status?: StatusOptions | false): Any =>
  remote<KubeObject, object, object>({
    ...(status !== undefined && { status }),
    connect: async () => ({}),
    read: async () => ({ current: {}, wanted: {} }),
    create: async () => undefined,
    update: async () => undefined,
    delete: async () => undefined,
  });
const around = (reconcile: Any, status?: StatusOptions | false): Any =>
  phases({ ...(status !== undefined && { status }), phases: [{ name: 'A', reconcile }] });

const twoWriters = (model: string, condition = 'Ready') => ({
  instanceOf: TypeError,
  message: new RegExp(`^${model}: the condition ${condition} must have one writer, found two, .*manageSuccess`),
});

test('a stepper with managers, and a pass with a status, are refused where phases write the same condition', (t) => {
  t.throws(() => around(managed()), twoWriters('phases'));
  t.throws(() => around(outside()), twoWriters('phases'));
  t.throws(() => around(around(async () => done)), twoWriters('phases', 'AReady'));
  t.throws(() => around(stepper({ ErrorManager: manageError })), twoWriters('phases'), 'one manager is enough');
  t.throws(
    () => phases({ phases: [{ name: 'A', reconcile: async () => done, cleanUp: managed() }] }),
    twoWriters('phases'),
  );
  t.throws(() => around(managed('Outside'), { condition: 'Outside' }), twoWriters('phases', 'Outside'));
  t.throws(() => around(managed('AReady')), twoWriters('phases', 'AReady'), 'that of the phase itself');
  const phase = (name: string) => ({ name, condition: 'Same', reconcile: async () => done });
  t.throws(() => phases({ phases: [phase('A'), phase('B')] }), twoWriters('phases', 'Same'));
});

test('they are accepted with a condition of their own, with none, and beneath phases without one', (t) => {
  t.notThrows(() => around(managed('ReconciliationSuccess')));
  t.notThrows(() => around(outside(false)));
  t.notThrows(() => around(outside({ condition: 'Outside' })));
  t.notThrows(() => around(managed(), false));
  t.notThrows(() => around(managed('AReady'), false));
  t.notThrows(() => around(stepper({ Updater: () => undefined })));
  const reconcile = managed('Stepped');
  t.notThrows(() => phases({ phases: [{ name: 'A', reconcile, cleanUp: reconcile }] }), 'never both in one run');
});

const wrappers: Readonly<Record<string, (inner: Any) => Any>> = {
  finalizer: (inner) => finalizer('example.com/a', inner),
  pausable: (inner) => pausable({}, inner),
  chain: (inner) => chain<KubeObject>(async () => done, inner),
  resources: (inner) => resources([inner]),
  router: (inner) => router([resourceSet({ name: 'v1', handles: () => true, resources: [inner] })]),
  withRetry: (inner) => withRetry({}, inner),
  sentinel: (inner) => sentinel(inner),
  simple: (inner) => simple(inner),
  opinionated: (inner) => opinionated({}, inner),
  typed: (inner) => typed((_): _ is KubeObject => true, inner),
  stepper: (inner) => stepper({ Updater: inner }),
};
for (const [name, wrap] of Object.entries(wrappers))
  test(`a second writer is found within ${name}`, (t) => {
    t.throws(() => around(wrap(managed())), twoWriters('phases'));
    t.notThrows(() => around(wrap(outside(false))));
  });

test('so are two beside one another, but not two of which one is called', (t) => {
  t.throws(() => chain(outside(), managed()), twoWriters('chain'));
  t.throws(() => resources([outside(), outside()]), twoWriters('chain'));
  t.throws(() => stepper({ Updater: outside(), SuccessManager: manageSuccess }), twoWriters('stepper'));
  const sets = ['v1', 'v2'].map((name) => resourceSet({ name, handles: () => false, resources: [outside()] }));
  t.notThrows(() => router(sets));
});

test('what is written is handed on', (t) => {
  const inner = declareConditions('inner', { own: ['A'] }, async () => done);
  t.throws(
    () => declareConditions('outer', { own: ['A'], inner: [[inner]] }, async () => done),
    twoWriters('outer', 'A'),
  );
  t.notThrows(() => declareConditions('outer', { own: ['B'], inner: [[inner, inner, undefined]] }, async () => done));
});
