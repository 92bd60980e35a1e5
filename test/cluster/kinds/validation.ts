/** Validates objects of built-in kinds. */

import type { Part } from '../apimachinery/written.ts';
import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { validateCrd } from '../schema/definition-rules.ts';
import { admissionChecks } from './admission-checks.ts';
import { apiService, apiServiceStatus } from './api-service-checks.ts';
import { batchChecks, batchStatusChecks } from './batch-checks.ts';
import type { Check } from './checks.ts';
import { claimStatus, persistentVolumeClaim } from './claim-checks.ts';
import { configChecks } from './config-checks.ts';
import { signingRequest } from './csr-checks.ts';
import { deviceChecks } from './device-checks.ts';
import { deviceStatusChecks } from './device-status-checks.ts';
import { endpointChecks } from './endpoint-checks.ts';
import { eventChecks } from './event-checks.ts';
import { flowChecks, flowStatusChecks } from './flow-checks.ts';
import { limitRange } from './limit-checks.ts';
import { nameErrors } from './names.ts';
import { namespace, namespaceStatus } from './namespace-checks.ts';
import { service, serviceStatus } from './network-checks.ts';
import { node, nodeStatus } from './node-checks.ts';
import { otherChecks } from './other-checks.ts';
import { persistentVolume } from './persistent-volume-checks.ts';
import { podErrors, podTemplateErrors } from './pod-checks.ts';
import { quotaStatus, resourceQuota } from './quota-checks.ts';
import { rangeChecks } from './range-checks.ts';
import type { ResourceInfo } from './resource-info.ts';
import { ingressStatus, routeChecks } from './route-checks.ts';
import { runtimeClass } from './runtime-checks.ts';
import { storageChecks } from './storage-checks.ts';
import { workloadChecks } from './workload-checks.ts';
import { workloadStatusChecks } from './workload-status-checks.ts';

const checks: Readonly<Record<string, Check>> = {
  'core.Pod': podErrors,
  'core.PodTemplate': podTemplateErrors,
  'apiextensions.CustomResourceDefinition': validateCrd,
  ...workloadChecks,
  ...configChecks,
  'core.Service': service,
  ...routeChecks,
  ...otherChecks,
  ...admissionChecks,
  ...batchChecks,
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
  ...workloadStatusChecks,
  ...batchStatusChecks,
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
  const errors = [...nameErrors(info, object), ...(checks[info.type ?? '']?.(object, old, part) ?? [])];
  return old !== undefined && checkedTwice.has(info.type ?? '') ? [...errors, ...errors] : errors;
}

/** Validates a status update of a built-in kind. */
export function validateBuiltinStatus(info: ResourceInfo, object: Fields, old?: Fields): readonly FieldError[] {
  const check = statusChecks[info.type ?? ''];
  return check === undefined ? validateBuiltin(info, object, old, 'status') : [...check(object, old)];
}
