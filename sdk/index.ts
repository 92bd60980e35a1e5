/**
 * SDK for integrations, reconcilers and clients: `workspace-sequencer/sdk`.
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
export { isJsonObject } from './api/json.ts';
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
export type { CountedWorkspaces, OutsideObserver } from './api/outside-observer.ts';
export { add, changesOf, type JsonPatchOperation, patchOf, pointer, remove, test, testsHold } from './api/patch.ts';
export { isPaused, type PauseOptions, pausedAnnotation } from './api/pause.ts';
export { type NewStandardCondition, type StandardCondition, withCondition } from './api/standard-condition.ts';
export type { Component, GuardEntry, Phase, WorkspaceSpec, WorkspaceStatus } from './api/workspace.ts';
export { claimOf, conditionOf, group, instanceLabel, instanceOf, secretNameOf, Workspace } from './api/workspace.ts';
export { OwnWrites, type OwnWritesHealth, type OwnWritesOptions } from './client/cache/own-writes.ts';
export {
  createReflector,
  type Reflector,
  type ReflectorHealth,
  type ReflectorOptions,
} from './client/cache/reflector.ts';
export { isOlder } from './client/cache/resource-version.ts';
export { type Change, Store, type StoreOptions, type StoreReader } from './client/cache/store.ts';
export { trackingClient } from './client/cache/tracking-client.ts';
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
export type { ClientNodeKubeConfig } from './client/config/client-node-connection.ts';
export type { Connection, KubeconfigData } from './client/config/connection.ts';
export { isPod } from './client/config/in-cluster.ts';
export { loadConnection } from './client/config/load-connection.ts';
export { type CrdOutcome, type EnsureCrdsOptions, ensureCrds } from './client/crds/ensure-crds.ts';
export { createRecorder, type Recorder, type RecorderOptions } from './client/events/recorder.ts';
export { type ClientOptions, createClient, type KubeConfigTarget } from './client/http/create-client.ts';
export type { ClientObserver, ClientRequest, WatchObserver } from './client/http/observer.ts';
export type { RefusedWrite } from './client/http/refused-write.ts';
export { ignoreNotFound } from './client/ignore-not-found.ts';
export { patchTested } from './client/patch-tested.ts';
export { type Clock, systemClock } from './clock.ts';
export type { ConfiguredRunnable, RunnableHost } from './configured-runnable.ts';
export { type DeadlineOptions, withDeadline } from './deadline.ts';
export type { RequestInfo, Status } from './errors.ts';
export {
  AlreadyExistsError,
  ApiError,
  BusyError,
  ConflictError,
  ContractError,
  DefiniteError,
  ExpiredError,
  FencedError,
  ForbiddenError,
  GiveUpError,
  InvalidError,
  isRace,
  NotFoundError,
  RefusedError,
  RetryError,
  StaleError,
  ThrottledError,
  UnreachableError,
  UserError,
} from './errors.ts';
export { type BodyBounds, type BodyReader, createBodyReader, type HeldBody } from './operator/body-reader.ts';
export { createInformerController, type InformerController } from './operator/controller/controller.ts';
export type { InformerControllerOptions } from './operator/controller/controller-options.ts';
export { DrainError } from './operator/engine/drain.ts';
export type { EngineController } from './operator/engine/engine.ts';
export type { ControllerFailure, ErrorHandler } from './operator/engine/error-handler.ts';
export { type ControllerHealth, problemsOf, stuckRunsOf } from './operator/engine/health.ts';
export { ListMap } from './operator/engine/list-map.ts';
export type { Settled } from './operator/engine/next-run.ts';
export type { ObservedCall, ObservedController, ObservedEvent, ObservedRun } from './operator/engine/observer.ts';
export { combinedObserver, type ObservedSource, type Observer } from './operator/engine/observer.ts';
export type { DequeueSide, PendingRetry, RetryDequeuePolicy } from './operator/engine/retry-dequeue.ts';
export { dequeueAll, opinionatedRetryDequeuePolicy } from './operator/engine/retry-dequeue.ts';
export { type Watched, watched } from './operator/engine/source.ts';
export type { HealthCheck, HealthServer, HealthServerOptions } from './operator/health-server.ts';
export { createHealthServer } from './operator/health-server.ts';
export { createHttpListener, type HttpListener, type HttpListenerOptions } from './operator/http-listener.ts';
export type { ElectedRunnable, LeaderElectionOptions } from './operator/leader-election/leader.ts';
export { LeadershipLostError, withLeaderElection } from './operator/leader-election/leader.ts';
export type { LeaderTimes } from './operator/leader-election/leader-times.ts';
export type { Failure, OperatorOptions, Runnable } from './operator/operator.ts';
export { failuresOf, OperatorError, runOperator } from './operator/operator.ts';
export type { EventHandler, EventSource } from './operator/watch-controller/custom-event-source.ts';
export { type Informer, type InformerOptions, informer } from './operator/watch-controller/informer.ts';
export { createWatchController, type WatchController } from './operator/watch-controller/watch-controller.ts';
export type { WatchControllerOptions } from './operator/watch-controller/watch-options.ts';
export { refuseUnknown, unknownIn } from './options.ts';
export { defineIntegration } from './provider/contract/define-integration.ts';
export type {
  CreateContext,
  Created,
  ExternalCallContext,
  ExternalResource,
  FoundExternalObject,
  Observed,
  Owner,
  ReplaceMarkContext,
} from './provider/contract/external-resource.ts';
export { ExternalAlreadyExistsError, externalResource } from './provider/contract/external-resource.ts';
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
} from './provider/contract/integration.ts';
export type { ManagementPolicy, PolicyEffects } from './provider/contract/management-policy.ts';
export { policies, policyAnnotation } from './provider/contract/management-policy.ts';
export { outputOf, outputReferences, withOutputs } from './provider/contract/output-references.ts';
export type {
  OutputDeclaration,
  OutputDeclarations,
  Outputs,
  OutputValue,
  SecretKeyRef,
} from './provider/contract/outputs.ts';
export { type PolicyRule, secretsRule } from './provider/contract/permissions.ts';
export { createController } from './provider/controller/create-controller.ts';
export { DryRunStop } from './provider/controller/dry-run.ts';
export { createProviderHost, type EventSink, type GuardTimes, type ProviderHostOptions } from './provider/host/host.ts';
export { KeyedMutex } from './provider/host/keyed-mutex.ts';
export { errorOfRequest, errorOfResponse, type HttpResponseHead } from './provider/http-errors.ts';
export { journalFormat } from './provider/journal/journal-format.ts';
export { isMirrorAnnotation, mirrorAnnotation } from './provider/journal/mirror-encoding.ts';
export type { MirrorRecord } from './provider/journal/read-mirror.ts';
export { resolveAnnotation } from './provider/journal/resolution.ts';
export type { CircuitBreakerOptions, CircuitBreakerState } from './provider/limits/circuit-breaker.ts';
export type { RateLimitOptions } from './provider/limits/fair-rate-limiter.ts';
export type { LimitState, RateLimits } from './provider/limits/rate-limits.ts';
export { chain } from './reconcile/chain.ts';
export { type FinalizerOptions, finalizer } from './reconcile/finalizer.ts';
export type { OpinionatedOptions } from './reconcile/grafana-app-sdk/opinionated.ts';
export { defaultFinalizer, inProgressFinalizer, opinionated } from './reconcile/grafana-app-sdk/opinionated.ts';
export { type Handler, type ReconcileRequest, simple } from './reconcile/grafana-app-sdk/simple.ts';
export { CannotCastError, typed } from './reconcile/grafana-app-sdk/typed.ts';
export { type ResourceWatcher, watcher } from './reconcile/grafana-app-sdk/watcher.ts';
export type { MutableResource, RegisteredResource } from './reconcile/mutable-resource.ts';
export { copyTemplate, hashAnnotation, oktHashAnnotation } from './reconcile/mutable-resource.ts';
export type { ObjectEvent, ReconcileAction } from './reconcile/object-event.ts';
export { type FreeStyleOptions, freeStyle, type GoneRunContext } from './reconcile/okt/free-style.ts';
export type { Graph, Machine, MachineEvent, PathSegment, Position } from './reconcile/okt/machine.ts';
export { defaultTransition, machine, nextState, pathOf, pathThrough, walkGraph } from './reconcile/okt/machine.ts';
export type { StepContext, StepHook, StepHooks, StepperState } from './reconcile/okt/stepper.ts';
export { stepper, steps } from './reconcile/okt/stepper.ts';
export { appliedAnnotation } from './reconcile/operator-sdk-extra/child-change.ts';
export { type ChildrenOptions, children } from './reconcile/operator-sdk-extra/children.ts';
export type { OrderedPhase, PhaseDiff, PhasesOptions } from './reconcile/operator-sdk-extra/phases.ts';
export { phases } from './reconcile/operator-sdk-extra/phases.ts';
export type {
  Difference,
  Reading,
  Remote,
  RemoteContext,
  RemoteSuccess,
} from './reconcile/operator-sdk-extra/remote.ts';
export { outsideAnnotation, remote } from './reconcile/operator-sdk-extra/remote.ts';
export { sentinel } from './reconcile/operator-sdk-extra/sentinel.ts';
export {
  ExecutionFailedError,
  InvalidConfigError,
  isExecutionFailed,
  isInvalidConfig,
  isNoResourceSet,
  NoResourceSetError,
} from './reconcile/operatorkit/config-errors.ts';
export {
  type ConfigResourceOptions,
  configMapResource,
  secretResource,
} from './reconcile/operatorkit/config-resources.ts';
export type { CrudOptions, CrudPatch, PatchPart, PatchPolicy } from './reconcile/operatorkit/crud.ts';
export { Cancellation, cancelReconciliation, cancelResource, cancelWith, crud } from './reconcile/operatorkit/crud.ts';
export type { ObservedOperation, OperationObserver, WithMetricsOptions } from './reconcile/operatorkit/metrics.ts';
export { withMetrics } from './reconcile/operatorkit/metrics.ts';
export type { OperationCall, OperationInterceptor, OperationReconciler } from './reconcile/operatorkit/operations.ts';
export { type ResourceOptions, resource, resources } from './reconcile/operatorkit/resource.ts';
export { withRetry } from './reconcile/operatorkit/retry.ts';
export type { AnyResourceSet, ResourceSet, Router, RouterOptions } from './reconcile/operatorkit/router.ts';
export { resourceSet, router } from './reconcile/operatorkit/router.ts';
export type { Context, PassHooks, StatusField, StatusOptions, StepResult } from './reconcile/pass.ts';
export { pausable } from './reconcile/pause.ts';
export type {
  Cause,
  Correction,
  Present,
  Reconciler,
  Request,
  RequestContext,
  Result,
  Run,
  RunLogger,
  State,
} from './reconcile/reconciler.ts';
export { combineResults, done, keepFinalizer, requeueAfter, stop } from './reconcile/reconciler.ts';
export type { CreateOrUpdateOptions, ResourceRegistry } from './reconcile/registry.ts';
export { type RequestOptions, requestFor } from './reconcile/request.ts';
export { type Consolidated, type Operation, type OperationName, Results } from './reconcile/results.ts';
export type { RunContext, RunContextOptions } from './reconcile/run-context.ts';
export { manageError, manageSuccess } from './reconcile/success-condition.ts';
export { redact, redactedJson } from './redact.ts';
export type { Backoff, BackoffOptions, RetryPolicy } from './retry.ts';
export { backoffDelay, backoffs, defaultRetryPolicy, exponentialBackoff, noRetry } from './retry.ts';
export { SecretRegistry } from './secret-registry.ts';
export { errorOf, messageOf, retryAfterOf } from './thrown.ts';
