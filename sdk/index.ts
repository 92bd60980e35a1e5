/**
 * The door for whoever writes integrations, reconcilers or clients: `workspace-sequencer/sdk`.
 *
 * @packageDocumentation
 */
export { aborted } from './aborted.ts';
export type { Condition, ConditionStatus, NewCondition } from './api/condition.ts';
export {
  allConditions,
  anyCondition,
  conditionStatuses,
  findCondition,
  nextCondition,
  removeCondition,
  setCondition,
  timestamp,
} from './api/condition.ts';
export { canonicalJson } from './api/digest.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from './api/finalizer.ts';
export type { CustomResourceDefinition, JsonSchema, Kind, KindOptions, PrinterColumn } from './api/kind.ts';
export { apiVersionOf, defineKind, resourceOf } from './api/kind.ts';
export {
  ConfigMap,
  CustomResourceDefinitionKind,
  Deployment,
  Event,
  Lease,
  Namespace,
  Pod,
  Secret,
  Service,
} from './api/kinds.ts';
export type { Frozen, KubeObject, ObjectKey, ObjectMeta, OwnerReference } from './api/object.ts';
export { isDeleting, isOwnedBy, keyOf, objectKeyOf, ownerReferenceTo, parseKey } from './api/object.ts';
export type { JsonPatchOperation } from './api/patch.ts';
export { add, changesOf, patchOf, pointer, remove, test } from './api/patch.ts';
export type { NewStandardCondition, StandardCondition } from './api/standard-condition.ts';
export { withCondition } from './api/standard-condition.ts';
export type { Component, GuardEntry, Phase, WorkspaceSpec, WorkspaceStatus } from './api/workspace.ts';
export { claimOf, conditionOf, group, instanceLabel, pausedAnnotation, Workspace } from './api/workspace.ts';
export type {
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  NewObject,
  ObjectList,
  Patch,
  Reader,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
  Writer,
} from './client/client.ts';
export type { Connection } from './client/connection.ts';
export type { CrdOutcome, EnsureCrdsOptions } from './client/crd.ts';
export { ensureCrds } from './client/crd.ts';
export type { ClientOptions } from './client/http-client.ts';
export { createClient } from './client/http-client.ts';
export { ifThere } from './client/if-there.ts';
export { isPod } from './client/in-cluster.ts';
export { loadConnection } from './client/load-connection.ts';
export type { ClientObserver, ClientRequest, WatchObserver } from './client/observer.ts';
export type { OwnWritesHealth, OwnWritesOptions } from './client/own-writes.ts';
export { OwnWrites } from './client/own-writes.ts';
export type { Recorder, RecorderOptions } from './client/recorder.ts';
export { createRecorder } from './client/recorder.ts';
export type { Reflector, ReflectorHealth, ReflectorOptions } from './client/reflector.ts';
export { createReflector } from './client/reflector.ts';
export { orStale } from './client/stale.ts';
export type { Change, StoreOptions, StoreReader } from './client/store.ts';
export { Store } from './client/store.ts';
export { trackingClient } from './client/tracking-client.ts';
export { isOlder } from './client/version.ts';
export type { Clock } from './clock.ts';
export { systemClock } from './clock.ts';
export type { DeadlineOptions } from './deadline.ts';
export { withDeadline } from './deadline.ts';
export type { RequestInfo, Status } from './errors.ts';
export {
  AlreadyExistsError,
  ApiError,
  BusyError,
  ConflictError,
  DefiniteError,
  ExpiredError,
  errorOf,
  FencedError,
  ForbiddenError,
  GiveUpError,
  InvalidError,
  isRace,
  messageOf,
  NotFoundError,
  RetryError,
  StaleError,
  ThrottledError,
  UnreachableError,
  UserError,
} from './errors.ts';
export type { InformerController } from './operator/controller.ts';
export { createInformerController } from './operator/controller.ts';
export type { InformerControllerOptions } from './operator/controller-options.ts';
export type { DequeueSide, PendingRetry, RetryDequeuePolicy } from './operator/dequeue.ts';
export { dequeueAll, opinionatedRetryDequeuePolicy } from './operator/dequeue.ts';
export { DrainError } from './operator/drain.ts';
export type { ControllerHealth } from './operator/health.ts';
export { problemsOf, stuckRunsOf } from './operator/health.ts';
export type { HealthCheck, HealthServer, HealthServerOptions } from './operator/health-server.ts';
export { createHealthServer } from './operator/health-server.ts';
export type { Informer, InformerOptions } from './operator/informer.ts';
export { informer } from './operator/informer.ts';
export type { ElectedRunnable, LeaderElectionOptions, LeaderTimes } from './operator/leader.ts';
export { LeadershipLostError, withLeaderElection } from './operator/leader.ts';
export { ListMap } from './operator/list-map.ts';
export type { Settled } from './operator/next-run.ts';
export type {
  ObservedCall,
  ObservedController,
  ObservedEvent,
  ObservedRun,
  ObservedSource,
  Observer,
} from './operator/observer.ts';
export { combinedObserver } from './operator/observer.ts';
export type { Failure, OperatorOptions, Runnable } from './operator/operator.ts';
export { failuresOf, OperatorError, runOperator } from './operator/operator.ts';
export type { ExponentialBackoffOptions, RetryPolicy } from './operator/retry.ts';
export { exponentialBackoff, noRetry } from './operator/retry.ts';
export type { Watched } from './operator/source.ts';
export { watched } from './operator/source.ts';
export type { WatchController } from './operator/watch-controller.ts';
export { createWatchController } from './operator/watch-controller.ts';
export type { WatchControllerOptions, WatchFailure } from './operator/watch-options.ts';
export { refuseUnknown, unknownIn } from './options.ts';
export type { BreakerOptions, BreakerState } from './provider/breaker.ts';
export type { HostedController } from './provider/create-controller.ts';
export { createController } from './provider/create-controller.ts';
export type {
  CreateContext,
  Created,
  ExternalResource,
  FoundThing,
  Observed,
  Owner,
  ThingContext,
} from './provider/external-resource.ts';
export { externalResource, ThereAlreadyError } from './provider/external-resource.ts';
export { outcomeAnnotation } from './provider/foretold.ts';
export type { EventSink, GuardTimes, ProviderHost, ProviderHostOptions } from './provider/host.ts';
export { createProviderHost } from './provider/host.ts';
export type { HttpAnswer } from './provider/http-errors.ts';
export { errorOfAnswer, errorOfRequest } from './provider/http-errors.ts';
export type {
  GuardOptions,
  Integration,
  Outcome,
  Provider,
  ProviderConfig,
  ProviderController,
  Ref,
  Task,
  TaskContext,
} from './provider/integration.ts';
export { defineIntegration } from './provider/integration.ts';
export { nothingBegun, settlePatch } from './provider/journal.ts';
export type { Limits } from './provider/limits.ts';
export type { LineOptions } from './provider/line.ts';
export { isMirrored, mirrorAnnotation } from './provider/mirror.ts';
export type { PolicyRule } from './provider/permissions.ts';
export { rulesOf, secretsRule } from './provider/permissions.ts';
export type { Planned, Planner } from './provider/planner.ts';
export { createPlanner, HeldBackError } from './provider/planner.ts';
export type { Permissions, Policy, Rule } from './provider/policy.ts';
export { policies, policyAnnotation, ruleOf } from './provider/policy.ts';
export type { Resolution } from './provider/resolution.ts';
export {
  parseRefs,
  resolutionOf,
  resolveAnnotation,
  resolvedSlot,
  textOf as resolutionText,
} from './provider/resolution.ts';
export type { Scope } from './provider/session.ts';
export { statusPatch } from './provider/status-patch.ts';
export type { Step } from './provider/step.ts';
export { differenceText, heldBackText, stepText } from './provider/step.ts';
export { chain } from './reconcile/chain.ts';
export { appliedAnnotation } from './reconcile/child-change.ts';
export type { ChildrenOptions } from './reconcile/children.ts';
export { children } from './reconcile/children.ts';
export type { ConfigResourceOptions } from './reconcile/config-resources.ts';
export { configMapResource, secretResource } from './reconcile/config-resources.ts';
export type { CrudOptions, CrudPatch, PatchPart, PatchPolicy } from './reconcile/crud.ts';
export { cancelReconciliation, cancelResource, crud, Leave, leave } from './reconcile/crud.ts';
export type { Desk, DeskOptions } from './reconcile/desk.ts';
export type { FinalizerOptions } from './reconcile/finalizer.ts';
export { finalizer } from './reconcile/finalizer.ts';
export { freeStyle } from './reconcile/free-style.ts';
export type { Graph, Leg, Machine, Position, Raised } from './reconcile/machine.ts';
export { defaultState, machine, nextState, pathOf, pathThrough, walk } from './reconcile/machine.ts';
export type { OperationLabels, OperationMeter, WithMetricsOptions } from './reconcile/metrics.ts';
export { operationMetrics, withMetrics } from './reconcile/metrics.ts';
export type { ObjectEvent, ReconcileAction } from './reconcile/object-event.ts';
export type { Around, OperatedReconciler, OperationCall } from './reconcile/operated.ts';
export type { OpinionatedOptions } from './reconcile/opinionated.ts';
export { defaultFinalizer, inProgressFinalizer, opinionated } from './reconcile/opinionated.ts';
export type { Context, PassHooks, StatusField, StatusOptions, StepResult } from './reconcile/pass.ts';
export type { PauseOptions } from './reconcile/pause.ts';
export { pausable } from './reconcile/pause.ts';
export type { OrderedPhase, PhasesOptions } from './reconcile/phases.ts';
export { phases } from './reconcile/phases.ts';
export type {
  Cause,
  Present,
  Reconciler,
  Request,
  Result,
  Run,
  RunLogger,
  State,
  Surroundings,
} from './reconcile/reconciler.ts';
export { combined, done, keepFinalizer, requeueAfter, stop } from './reconcile/reconciler.ts';
export type { MutableResource, Registered } from './reconcile/registered.ts';
export { copyTemplate, hashAnnotation, oktHashAnnotation } from './reconcile/registered.ts';
export type { CreateOrUpdateOptions, ResourceRegistry } from './reconcile/registry.ts';
export type { Difference, Reading, Remote } from './reconcile/remote.ts';
export { outsideAnnotation, remote } from './reconcile/remote.ts';
export type { RequestOptions } from './reconcile/request.ts';
export { requestFor } from './reconcile/request.ts';
export type { ResourceOptions } from './reconcile/resource.ts';
export { resource, resources } from './reconcile/resource.ts';
export type { Consolidated, Operation, OperationName, Results } from './reconcile/results.ts';
export type { WithRetryOptions } from './reconcile/retry.ts';
export { withRetry } from './reconcile/retry.ts';
export type { AnyResourceSet, ResourceSet, RouterOptions } from './reconcile/router.ts';
export { resourceSet, router } from './reconcile/router.ts';
export { sentinel } from './reconcile/sentinel.ts';
export type { Handler, ReconcileRequest } from './reconcile/simple.ts';
export { simple } from './reconcile/simple.ts';
export type { StepContext, StepHook, StepHooks, StepperState } from './reconcile/stepper.ts';
export { stepper, steps } from './reconcile/stepper.ts';
export { manageError, manageSuccess, reconciliationSuccess } from './reconcile/success-condition.ts';
export { CannotCastError, typed } from './reconcile/typed.ts';
export type { ResourceWatcher } from './reconcile/watcher.ts';
export { watcher } from './reconcile/watcher.ts';
