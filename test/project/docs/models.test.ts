import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ConfigMap, createClient, createInformerController, createWatchController } from '../../../sdk/index.ts';
import { createCluster } from '../../cluster/index.ts';

/** Well-known exports of each original; methods where those are what users call. */
const known: Readonly<Record<string, string>> = {
  'okt.md': `CRChecker ObjectsGetter Mutator Updater SuccessManager CRFinalizer ErrorManager GiveupManager End
    FreeStyle NewFreeStyle FreeStyleHook ReconcileWithCR Stepper NewStepper StepperEngineHook EnterInState DisplayPathOfStates Run SetResults SetLogger
    AddOp AddOpSuccess AddGiveupError DisplayOpList DisplayCounters RegisterResource MutateAllResources CreateOrUpdateAllResources
    MutateWithInitialData MutateWithCR PreMutate PostMutate GetHashableRef CopyTpl ManageSuccess ManageError statemachine AppClient`,
  'operatorkit.md': `DefaultBackOffFactory DefaultResourceSetResourceFunc IsExecutionFailed IsInvalidConfig IsNoResourceSet ProcessDelete ProcessUpdate
    CRUDResource CRUDResourceOps CRUDResourceConfig NewCRUDResource NewResourceRouter ResourceRouterConfig NewResourceSet Config Framework Boot DeleteFunc UpdateFunc ProcessEvents Patch SetCreateChange SetDeleteChange SetUpdateChange
    Resource EnsureCreated EnsureDeleted ResourceRouter ResourceSet Handles InitCtx BackOffFactory CRDClient
    resourcecanceledcontext reconciliationcanceledcontext updateallowed deletionallowed updatenecessary finalizerskeptcontext cachekeycontext
    retryresource metricsresource configmapresource secretresource AllowedLabels`,
  'operator-sdk-extra.md': `StdReconciler NewStdReconciler StdK8sReconciler NewStdK8sReconciler Reconciler K8sReconciler K8sPhaseReconciler RemoteReconciler MultiPhaseReconciler SentinelReconciler
    Configure Read Diff Create Update Delete OnError OnSuccess GetName K8sDiff NeedCreate NeedUpdate GetRemoteHandler ignoreReconcile TestCase isOnError lastErrorMessage EventRecorder`,
  'grafana-app-sdk.md': `InformerController NewInformerController InformerControllerConfig DefaultInformerControllerConfig AddInformer AddWatcher AddReconciler
    KubernetesBasedInformer NewKubernetesBasedInformer NewKubernetesBasedInformerWithFilters EmptyLabelFilters AddEventHandler ListWatchClient PatchClient
    KubernetesCompatibleWatch ResourceObjectWrapper ConvertableIntoResourceObject ResourceWatcher SimpleWatcher Reconciler SimpleReconciler ReconcileRequest ReconcileResult
    TypedReconciler TypedReconcileRequest CannotCastError NewCannotCastError OpinionatedWatcher NewOpinionatedWatcher NewOpinionatedWatcherWithFinalizer
    OpinionatedReconciler NewOpinionatedReconciler Wrap RemoveWatcher RemoveReconciler RemoveAllWatchersForResource RemoveAllReconcilersForResource
    ReconcileAction ReconcileActionCreated ReconcileActionUpdated ReconcileActionDeleted ReconcileActionResynced ReconcileActionUnknown
    ResourceAction ResourceActionCreate ResourceActionUpdate ResourceActionDelete
    ReconcileActionFromResourceAction ResourceActionFromReconcileAction FinalizerSupplier DefaultFinalizerSupplier RetryPolicy DefaultRetryPolicy ExponentialBackoffRetryPolicy
    RetryDequeuePolicy OpinionatedRetryDequeuePolicy RequeueAfter ErrorHandler DefaultErrorHandler ErrNilObject ErrInformerAlreadyAdded
    ListMap NewListMap AddItem ItemAt RemoveItem RemoveItems RemoveItemAt RemoveKey Range RangeAll Keys KeySize Size
    Controller Operator AddController PrometheusCollectors SetTracer GetTracer`,
  'sequencer-sdk.md': `ProviderConfig Workspace Controller ProviderController Guard Task UpdateCondition Update Create Delete SetFinalizer RemoveFinalizer
    Condition Namespace Event Eventf Reader NewController Reconciler Writer StatusClient EventRecorder CreateOption DeleteOption ConditionStatus`,
};

const tests = readFileSync(join(import.meta.dirname, '../../../docs/models/tests.md'), 'utf8');

for (const [page, names] of Object.entries(known)) {
  test(`docs/models/${page} has an answer for every name that people bring along`, (t) => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/models', page), 'utf8');
    const table = text.slice(0, text.indexOf('## The same operator'));
    const words = new Set(table.match(/\w+/g));
    t.deepEqual(
      names.split(/\s+/).filter((name) => !words.has(name)),
      [],
    );
  });

  test(`docs/models/tests.md has a test for each of those of ${page}`, (t) => {
    const section = tests.slice(tests.indexOf(`](${page})`)).split('\n## ')[0];
    const words = new Set(section?.match(/\w+/g));
    t.deepEqual(
      names.split(/\s+/).filter((name) => !words.has(name)),
      [],
    );
  });
}

const overview = readFileSync(join(import.meta.dirname, '../../../docs/models/README.md'), 'utf8');
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/`[^`]+`/g)?.flatMap((code) => code.match(/\w+/g) ?? []));

test('docs/models/README.md names the options and members of both controllers', async (t) => {
  const engines = namesIn(overview.slice(overview.indexOf('### Options of both'), overview.indexOf('## Parts, not')));
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const optionsOf = (create: (options: never) => unknown): readonly string[] => {
    const error = t.throws(() => create({ client, notAnOptionOfAny: true } as never), { instanceOf: TypeError });
    return error?.message.split('known are ')[1]?.split(', ') ?? [];
  };
  const options = [createInformerController, createWatchController].flatMap((create) => optionsOf(create as never));
  const reconciler = async () => ({});
  const members = [createInformerController({ client, kind: ConfigMap, reconciler }), createWatchController({ client })]
    .flatMap((one) => Object.getOwnPropertyNames(Object.getPrototypeOf(one)))
    .filter((name) => name !== 'constructor' && !/^(?:add|remove)[A-Z]|^(?:run|health)$/.test(name));
  t.true(options.length > 20);
  t.deepEqual(
    [...options, ...members].filter((name) => !engines.has(name)),
    [],
  );
});
