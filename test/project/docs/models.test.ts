import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

/** Well-known exports of each original; methods where those are what users call. */
const known: Readonly<Record<string, string>> = {
  'okt.md': `CRChecker ObjectsGetter Mutator Updater SuccessManager CRFinalizer ErrorManager GiveupManager End
    FreeStyle NewFreeStyle FreeStyleHook ReconcileWithCR Stepper NewStepper StepperEngineHook EnterInState DisplayPathOfStates Run SetResults SetLogger
    AddOp AddOpSuccess AddGiveupError DisplayOpList DisplayCounters RegisterResource MutateAllResources CreateOrUpdateAllResources
    MutateWithInitialData MutateWithCR PreMutate PostMutate GetHashableRef CopyTpl ManageSuccess ManageError statemachine AppClient`,
  'operatorkit.md': `DefaultBackOffFactory DefaultResourceSetResourceFunc IsExecutionFailed IsInvalidConfig IsNoResourceSet ProcessDelete ProcessUpdate
    CRUDResource CRUDResourceOps Config Framework Boot DeleteFunc UpdateFunc ProcessEvents Patch SetCreateChange SetDeleteChange SetUpdateChange
    Resource EnsureCreated EnsureDeleted ResourceRouter ResourceSet Handles InitCtx BackOffFactory CRDClient
    resourcecanceledcontext reconciliationcanceledcontext updateallowed deletionallowed updatenecessary finalizerskeptcontext cachekeycontext
    retryresource metricsresource configmapresource secretresource AllowedLabels`,
  'operator-sdk-extra.md': `StdReconciler StdK8sReconciler Reconciler K8sReconciler K8sPhaseReconciler RemoteReconciler MultiPhaseReconciler SentinelReconciler
    Configure Read Diff Create Update Delete OnError OnSuccess GetName K8sDiff NeedCreate NeedUpdate GetRemoteHandler ignoreReconcile TestCase isOnError lastErrorMessage EventRecorder`,
  'grafana-app-sdk.md': `InformerController NewInformerController InformerControllerConfig DefaultInformerControllerConfig AddInformer AddWatcher AddReconciler RemoveAll
    KubernetesBasedInformer NewKubernetesBasedInformer NewKubernetesBasedInformerWithFilters EmptyLabelFilters AddEventHandler ListWatchClient PatchClient
    KubernetesCompatibleWatch ResourceObjectWrapper ConvertableIntoResourceObject ResourceWatcher SimpleWatcher Reconciler SimpleReconciler ReconcileRequest ReconcileResult
    TypedReconciler TypedReconcileRequest CannotCastError OpinionatedWatcher NewOpinionatedWatcherWithFinalizer OpinionatedReconciler Wrap ReconcileAction ResourceAction
    ReconcileActionFromResourceAction ResourceActionFromReconcileAction FinalizerSupplier DefaultFinalizerSupplier RetryPolicy DefaultRetryPolicy ExponentialBackoffRetryPolicy
    RetryDequeuePolicy OpinionatedRetryDequeuePolicy RequeueAfter ErrorHandler DefaultErrorHandler ErrNilObject ErrInformerAlreadyAdded ListMap NewListMap
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
