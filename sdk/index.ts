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
export { add, changesOf, type JsonPatchOperation, patchOf, pointer, remove, test, testsHold } from './api/patch.ts';
export { isPaused, type PauseOptions, pausedAnnotation } from './api/pause.ts';
export { type NewStandardCondition, type StandardCondition, withCondition } from './api/standard-condition.ts';
export type { Component, GuardEntry, Phase, WorkspaceSpec, WorkspaceStatus } from './api/workspace.ts';
export { claimOf, conditionOf, group, instanceLabel, Workspace } from './api/workspace.ts';
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
export type { GivenKubeConfig } from './client/client-node-connection.ts';
export type { Connection } from './client/connection.ts';
export { type CrdOutcome, type EnsureCrdsOptions, ensureCrds } from './client/crd.ts';
export { type ClientOptions, createClient, type KubeConfigTarget } from './client/http-client.ts';
export { ignoreNotFound } from './client/ignore-not-found.ts';
export { isPod } from './client/in-cluster.ts';
export { loadConnection } from './client/load-connection.ts';
export type { ClientObserver, ClientRequest, RefusedWrite, WatchObserver } from './client/observer.ts';
export { OwnWrites, type OwnWritesHealth, type OwnWritesOptions } from './client/own-writes.ts';
export { patchTested } from './client/patch-tested.ts';
export { createRecorder, type Recorder, type RecorderOptions } from './client/recorder.ts';
export { createReflector, type Reflector, type ReflectorHealth, type ReflectorOptions } from './client/reflector.ts';
export { isOlder } from './client/resource-version.ts';
export { orStale } from './client/stale-patch.ts';
export { type Change, Store, type StoreOptions, type StoreReader } from './client/store.ts';
export { trackingClient } from './client/tracking-client.ts';
export { type Clock, systemClock } from './clock.ts';
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
  errorOf,
  FencedError,
  ForbiddenError,
  GiveUpError,
  InvalidError,
  isRace,
  messageOf,
  NotFoundError,
  RefusedError,
  RetryError,
  retryAfterOf,
  StaleError,
  ThrottledError,
  UnreachableError,
  UserError,
} from './errors.ts';
export { createInformerController, type InformerController } from './operator/controller.ts';
export type { InformerControllerOptions } from './operator/controller-options.ts';
export { DrainError } from './operator/drain.ts';
export type { EngineController } from './operator/engine.ts';
export type { EventHandler, EventSource } from './operator/event-source.ts';
export type { ControllerFailure, ErrorHandler } from './operator/failure-handler.ts';
export { type ControllerHealth, problemsOf, stuckRunsOf } from './operator/health.ts';
export type { HealthCheck, HealthServer, HealthServerOptions } from './operator/health-server.ts';
export { createHealthServer } from './operator/health-server.ts';
export { type Informer, type InformerOptions, informer } from './operator/informer.ts';
export type { ElectedRunnable, LeaderElectionOptions, LeaderTimes } from './operator/leader.ts';
export { LeadershipLostError, withLeaderElection } from './operator/leader.ts';
export { ListMap } from './operator/list-map.ts';
export type { Settled } from './operator/next-run.ts';
export type { ObservedCall, ObservedController, ObservedEvent, ObservedRun } from './operator/observer.ts';
export { combinedObserver, type ObservedSource, type Observer } from './operator/observer.ts';
export type { Failure, OperatorOptions, Runnable } from './operator/operator.ts';
export { failuresOf, OperatorError, runOperator } from './operator/operator.ts';
export type { DequeueSide, PendingRetry, RetryDequeuePolicy } from './operator/retry-dequeue.ts';
export { dequeueAll, opinionatedRetryDequeuePolicy } from './operator/retry-dequeue.ts';
export { type Watched, watched } from './operator/source.ts';
export { createWatchController, type WatchController } from './operator/watch-controller.ts';
export type { WatchControllerOptions } from './operator/watch-options.ts';
export { refuseUnknown, unknownIn } from './options.ts';
export { checkedProvider, checkedResult, handlesOf } from './provider/check-provider.ts';
export type { CircuitBreakerOptions, CircuitBreakerState } from './provider/circuit-breaker.ts';
export { createController, type HostedController } from './provider/create-controller.ts';
export { defineIntegration } from './provider/define-integration.ts';
export { createDryRunController, type DryRunController, type DryRunResult, DryRunStop } from './provider/dry-run.ts';
export type {
  CreateContext,
  Created,
  ExternalCallContext,
  ExternalResource,
  FoundExternalObject,
  Observed,
  Owner,
  RemarkContext,
} from './provider/external-resource.ts';
export { ExternalAlreadyExistsError, externalResource } from './provider/external-resource.ts';
export type { RateLimitOptions } from './provider/fair-rate-limiter.ts';
export type { EventSink, GuardTimes, ProviderHost, ProviderHostOptions } from './provider/host.ts';
export { createProviderHost, holderOf } from './provider/host.ts';
export { errorOfRequest, errorOfResponse, type HttpResponseHead } from './provider/http-errors.ts';
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
export { nothingBegun, settlePatch } from './provider/journal.ts';
export { journalFormat, newerFormat, newerText } from './provider/journal-format.ts';
export { mirrorPatch, removeMirror } from './provider/mirror.ts';
export { isMirrorAnnotation, mirrorAnnotation, mirrorAnnotationPattern, mirrorTexts } from './provider/mirror-pages.ts';
export type { Mirror, MirrorRecord } from './provider/mirror-record.ts';
export { believedEntry, isMirrored, readMirror, tellsOfWork } from './provider/mirror-record.ts';
export { outputOf, outputReferences, parseOutputReference, withOutputs } from './provider/output-references.ts';
export type { OutputDeclaration, OutputDeclarations, Outputs, OutputValue, SecretKeyRef } from './provider/outputs.ts';
export { withoutEndedOutputs } from './provider/outputs.ts';
export { type PolicyRule, rulesOf, secretsRule } from './provider/permissions.ts';
export { driftText, heldBackText, type PlannedChange, plannedChangeText } from './provider/planned-change.ts';
export {
  type EffectivePolicy,
  effectivePolicyOf,
  type Permissions,
  type Policy,
  policies,
  policyAnnotation,
} from './provider/policy.ts';
export type { RateLimits } from './provider/rate-limits.ts';
export { isOfOther, isSettled, recordedClaim } from './provider/recorded-claim.ts';
export { isServerRefusal, tellingRefusal, tellUnwritten } from './provider/refusals.ts';
export type { Resolution } from './provider/resolution.ts';
export {
  isAnswerProven,
  parseRefs,
  resolutionOf,
  resolutionText,
  resolveAnnotation,
  resolvedWrite,
  signedAnswer,
} from './provider/resolution.ts';
export { createSeal, type Seal } from './provider/seal.ts';
export { loadSeal, readSeal, sealSecretName } from './provider/seal-secret.ts';
export type { Scope } from './provider/session.ts';
export { statusPatch } from './provider/status-patch.ts';
export { chain } from './reconcile/chain.ts';
export { appliedAnnotation } from './reconcile/child-change.ts';
export { type ChildrenOptions, children } from './reconcile/children.ts';
export {
  ExecutionFailedError,
  InvalidConfigError,
  isExecutionFailed,
  isInvalidConfig,
  isNoResourceSet,
  NoResourceSetError,
} from './reconcile/config-errors.ts';
export { type ConfigResourceOptions, configMapResource, secretResource } from './reconcile/config-resources.ts';
export type { CrudOptions, CrudPatch, PatchPart, PatchPolicy } from './reconcile/crud.ts';
export { cancelReconciliation, cancelResource, crud, Leave, leave } from './reconcile/crud.ts';
export { type FinalizerOptions, finalizer } from './reconcile/finalizer.ts';
export { type FreeStyleOptions, freeStyle, type GoneDesk } from './reconcile/free-style.ts';
export type { Graph, Leg, Machine, Position, Raised } from './reconcile/machine.ts';
export { defaultState, machine, nextState, pathOf, pathThrough, walkGraph } from './reconcile/machine.ts';
export type { ObservedOperation, OperationObserver, WithMetricsOptions } from './reconcile/metrics.ts';
export { withMetrics } from './reconcile/metrics.ts';
export type { MutableResource, RegisteredResource } from './reconcile/mutable-resource.ts';
export { copyTemplate, hashAnnotation, oktHashAnnotation } from './reconcile/mutable-resource.ts';
export type { Around, OperatedReconciler, OperationCall } from './reconcile/named-operations.ts';
export type { ObjectEvent, ReconcileAction } from './reconcile/object-event.ts';
export type { OpinionatedOptions } from './reconcile/opinionated.ts';
export { defaultFinalizer, inProgressFinalizer, opinionated } from './reconcile/opinionated.ts';
export type { Context, PassHooks, StatusField, StatusOptions, StepResult } from './reconcile/pass.ts';
export { pausable } from './reconcile/pause.ts';
export { type OrderedPhase, type PhaseDiff, type PhasesOptions, phases } from './reconcile/phases.ts';
export type {
  Cause,
  Mended,
  Present,
  Reconciler,
  Request,
  RequestContext,
  Result,
  Run,
  RunLogger,
  State,
} from './reconcile/reconciler.ts';
export { combined, done, keepFinalizer, requeueAfter, stop } from './reconcile/reconciler.ts';
export type { CreateOrUpdateOptions, ResourceRegistry } from './reconcile/registry.ts';
export type { Difference, Reading, Remote, RemoteContext, RemoteSuccess } from './reconcile/remote.ts';
export { outsideAnnotation, remote } from './reconcile/remote.ts';
export { type RequestOptions, requestFor } from './reconcile/request.ts';
export { type ResourceOptions, resource, resources } from './reconcile/resource.ts';
export { type Consolidated, type Operation, type OperationName, Results } from './reconcile/results.ts';
export { withRetry } from './reconcile/retry.ts';
export type { AnyResourceSet, ResourceSet, Router, RouterOptions } from './reconcile/router.ts';
export { resourceSet, router } from './reconcile/router.ts';
export type { RunContext, RunContextOptions } from './reconcile/run-context.ts';
export { sentinel } from './reconcile/sentinel.ts';
export { type Handler, type ReconcileRequest, simple } from './reconcile/simple.ts';
export type { StepContext, StepHook, StepHooks, StepperState } from './reconcile/stepper.ts';
export { stepper, steps } from './reconcile/stepper.ts';
export { manageError, manageSuccess } from './reconcile/success-condition.ts';
export { CannotCastError, typed } from './reconcile/typed.ts';
export { type ResourceWatcher, watcher } from './reconcile/watcher.ts';
export { redact, redactedJson } from './redact.ts';
export type { Backoff, BackoffOptions, RetryPolicy } from './retry.ts';
export { backoffDelay, backoffs, defaultRetryPolicy, exponentialBackoff, noRetry } from './retry.ts';
export { SecretRegistry } from './secret-registry.ts';
