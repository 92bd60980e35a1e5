/**
 * In-memory Kubernetes cluster for tests: API server, controllers, faults, audit log and recordings.
 * @packageDocumentation
 */

export type { AdvancingClock } from './adjustable-clock.ts';
export { createAdjustableClock } from './adjustable-clock.ts';
export type { KindName } from './admin-client.ts';
export type { AdmissionResponse, AdmissionReview } from './admission/review.ts';
export type { WebhookFunction } from './admission/transport.ts';
export type { Audit, AuditQuestions } from './audit/audit.ts';
export type { AuditEntry } from './audit/entry.ts';
export type { BackoffOptions, WriteLoopOptions } from './audit/expectations.ts';
export { AuditError } from './audit/expectations.ts';
export type { AuditFilter } from './audit/filter.ts';
export type { BindingObject, RoleObject, RoleOptions, VerbsUsed } from './audit/roles.ts';
export type { Cluster, Interceptor, RestoreOptions } from './cluster.ts';
export { createCluster } from './cluster.ts';
export type { Controllers } from './controllers/controller-manager.ts';
export type { KubeletOptions, PodControl, PodFailure } from './controllers/kubelet/kubelet.ts';
export type { PodTarget } from './controllers/kubelet/pod-target.ts';
export type { ControllerModes, ControllerName } from './controllers/modes.ts';
export type { NamespaceOptions } from './controllers/namespaces.ts';
export type { ControllerMode } from './controllers/switchable-controller.ts';
export type { ConversionFunction, ConversionResponse, ConversionReview } from './conversion/review.ts';
export type { Faults } from './faults/create-faults.ts';
export type { FaultStatus } from './faults/effects.ts';
export type {
  CacheFaults,
  ClientFaults,
  Fault,
  FaultActions,
  FaultPoint,
  WatchEndings,
  WatchFaults,
} from './faults/fluent.ts';
export type { Hold } from './faults/open-watches.ts';
export { sentenceOf } from './faults/sentence.ts';
export type { FaultLimits, FaultSpec } from './faults/spec.ts';
export type { CrashRun, CrashSweep } from './faults/sweep-crashes.ts';
export { sweepCrashes } from './faults/sweep-crashes.ts';
export type { FaultScope, FaultVerb } from './faults/target.ts';
export type { ApiRequest, ApiResponse, Handler, Sink, User } from './http/message.ts';
export type { Listening, ListenOptions } from './listen.ts';
export type { ManualClock } from './manual-clock.ts';
export { createManualClock } from './manual-clock.ts';
export type { ApiObject } from './objects/object.ts';
export type { ClusterOptions } from './options.ts';
export type { Difference, Replayed, ReplayTarget } from './record/replay.ts';
export { replayRecording } from './record/replay.ts';
export type { Snapshot, SnapshotFile } from './snapshot.ts';
export { readSnapshot } from './snapshot.ts';
export type { StepClient, StepsOptions, TestStep } from './steps.ts';
export { testSteps } from './steps.ts';
