/**
 * In-memory Kubernetes cluster for tests: API server, controllers, faults, audit log and recordings.
 * @packageDocumentation
 */

export type { AdmissionResponse, AdmissionReview } from './admission/review.ts';
export type { WebhookFunction } from './admission/webhook-transport.ts';
export type { AdvancingClock } from './apimachinery/clock/adjustable-clock.ts';
export { createAdjustableClock } from './apimachinery/clock/adjustable-clock.ts';
export type { ManualClock } from './apimachinery/clock/manual-clock.ts';
export { createManualClock } from './apimachinery/clock/manual-clock.ts';
export type { ApiObject } from './apimachinery/object.ts';
export type { Audit, AuditQuestions } from './audit/audit.ts';
export type { AuditEntry } from './audit/entry.ts';
export type { BackoffOptions, WriteLoopOptions } from './audit/expectations.ts';
export { AuditError } from './audit/expectations.ts';
export type { AuditFilter } from './audit/filter.ts';
export type { BindingObject, RoleObject, RoleOptions, VerbsUsed } from './audit/minimal-roles.ts';
export type { ClusterOptions } from './bootstrap/options.ts';
export type { Cluster, RestoreOptions } from './cluster.ts';
export { createCluster } from './cluster.ts';
export type { Controllers } from './controllers/engine/controller-manager.ts';
export type { ControllerModes, ControllerName } from './controllers/engine/modes.ts';
export type { ControllerMode } from './controllers/engine/switchable-controller.ts';
export type { KubeletOptions, PodControl, PodFailure } from './controllers/kubelet/kubelet.ts';
export type { PodTarget } from './controllers/kubelet/pod-name-pattern.ts';
export type { NamespaceOptions } from './controllers/namespaces/namespaces.ts';
export type { Faults } from './faults/create-faults.ts';
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
export type { FaultStatus } from './faults/request-effects.ts';
export type { FaultScope, FaultVerb } from './faults/request-matcher.ts';
export { sentenceOf } from './faults/sentence.ts';
export type { FaultLimits, FaultSpec } from './faults/spec.ts';
export type { Interceptor } from './front.ts';
export type { Listening, ListenOptions } from './listen.ts';
export type { KindName } from './objects/admin-client.ts';
export type { Authority, Identity } from './pki/certificate.ts';
export { createAuthority } from './pki/certificate.ts';
export type { Difference, Replayed, ReplayTarget } from './record/replay.ts';
export { replayRecording } from './record/replay.ts';
export type { ApiRequest, ApiResponse, Handler, Sink, User } from './requests/message.ts';
export type { Snapshot, SnapshotFile } from './snapshot.ts';
export { readSnapshot } from './snapshot.ts';
export type { CrashRun, CrashSweep } from './sweep-crashes.ts';
export { sweepCrashes } from './sweep-crashes.ts';
export type { StepClient, StepsOptions, TestStep } from './test-steps.ts';
export { testSteps } from './test-steps.ts';
export type { ConversionFunction, ConversionResponse, ConversionReview } from './webhooks/conversion-review.ts';
