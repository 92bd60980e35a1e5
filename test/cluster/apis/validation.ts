/** Validates objects of built-in kinds. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { nameErrors } from '../apimachinery/names.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import type { Check } from '../apimachinery/validation/checks.ts';
import type { Part } from '../apimachinery/written.ts';
import { validateCrd } from '../crd/definition-rules.ts';
import { admissionChecks } from './admissionregistration/admission-checks.ts';
import { apiService, apiServiceStatus } from './apiregistration/api-service-checks.ts';
import { horizontalPodAutoscalerStatus } from './autoscaling/autoscaling-checks.ts';
import { builtinKinds } from './built-in-kinds.ts';
import { signingRequest } from './certificates/csr-checks.ts';
import { configChecks } from './core/config-checks.ts';
import { endpointChecks } from './core/endpoint-checks.ts';
import { eventChecks } from './core/event-checks.ts';
import { limitRange } from './core/limit-checks.ts';
import { namespace, namespaceStatus } from './core/namespace-checks.ts';
import { node, nodeStatus } from './core/node-checks.ts';
import { podErrors, podTemplateErrors } from './core/pods/pod-checks.ts';
import { quotaStatus, resourceQuota } from './core/quota-checks.ts';
import { service, serviceStatus } from './core/services/service-checks.ts';
import { claimStatus, persistentVolumeClaim } from './core/volumes/claim-checks.ts';
import { persistentVolume } from './core/volumes/persistent-volume-checks.ts';
import { flowChecks, flowStatusChecks } from './flowcontrol/flow-checks.ts';
import { nameChecks } from './name-checks.ts';
import { rangeChecks } from './networking/range-checks.ts';
import { ingressStatus, routeChecks } from './networking/route-checks.ts';
import { runtimeClass } from './node/runtime-checks.ts';
import { otherChecks } from './others/other-checks.ts';
import { disruptionBudgetStatus } from './policy/disruption-budget-status.ts';
import { deviceChecks } from './resource/device-checks.ts';
import { deviceStatusChecks } from './resource/device-status-checks.ts';
import { storageChecks } from './storage/storage-checks.ts';

const checks: Readonly<Record<string, Check>> = {
  'core.Pod': podErrors,
  'core.PodTemplate': podTemplateErrors,
  'apiextensions.CustomResourceDefinition': validateCrd,
  ...configChecks,
  'core.Service': service,
  ...routeChecks,
  ...otherChecks,
  ...admissionChecks,
  ...storageChecks,
  ...eventChecks,
  ...endpointChecks,
  ...flowChecks,
  ...rangeChecks,
  ...deviceChecks,
  'apiregistration.APIService': apiService,
  'certificates.CertificateSigningRequest': signingRequest,
  'core.Namespace': namespace,
  'core.LimitRange': limitRange,
  'node.RuntimeClass': runtimeClass,
  'core.Node': node,
  'core.ResourceQuota': resourceQuota,
  'core.PersistentVolume': persistentVolume,
  'core.PersistentVolumeClaim': persistentVolumeClaim,
};

/** Checks of status updates, by type, where they differ from those of the object. */
const statusChecks: Readonly<Record<string, Check>> = {
  'core.PersistentVolume': () => [],
  'core.PersistentVolumeClaim': claimStatus,
  'core.Node': nodeStatus,
  'core.Pod': (pod, old) => podErrors(pod, old, 'status'),
  'core.ResourceQuota': quotaStatus,
  ...deviceStatusChecks,
  ...flowStatusChecks,
  'apiregistration.APIService': apiServiceStatus,
  'core.Namespace': namespaceStatus,
  'core.Service': serviceStatus,
  'networking.IPAddress': () => [],
  'networking.Ingress': ingressStatus,
  'networking.ServiceCIDR': () => [],
  'policy.PodDisruptionBudget': disruptionBudgetStatus,
  'autoscaling.HorizontalPodAutoscaler': horizontalPodAutoscalerStatus,
  'autoscaling2.HorizontalPodAutoscaler': horizontalPodAutoscalerStatus,
};

/** Types whose updates the server validates twice, reporting each error twice. */
const checkedTwice: ReadonlySet<string> = new Set(['networking.NetworkPolicy', 'rbac.ClusterRole', 'rbac.Role']);

/**
 * Validates an object of a built-in kind, with the server's messages: its name, and the rules that operators meet.
 * Not exhaustive: a real server may refuse an object that passes.
 */
export function validateBuiltin(
  info: ResourceInfo,
  object: Fields,
  ...[old, part]: readonly [old?: Fields | undefined, part?: Part]
): readonly FieldError[] {
  const type = info.type ?? '';
  const check = builtinKinds[type]?.check ?? checks[type];
  const checkName = builtinKinds[type]?.checkName ?? nameChecks[type];
  const errors = [...nameErrors(object, checkName), ...(check?.(object, old, part) ?? [])];
  return old !== undefined && checkedTwice.has(type) ? [...errors, ...errors] : errors;
}

/** Validates a status update of a built-in kind. */
export function validateBuiltinStatus(info: ResourceInfo, object: Fields, old?: Fields): readonly FieldError[] {
  const type = info.type ?? '';
  const check = builtinKinds[type]?.checkStatus ?? statusChecks[type];
  return check === undefined ? validateBuiltin(info, object, old, 'status') : [...check(object, old)];
}
