/** Rules of the kinds of the core group. */

import { isLabel, isLabel1035, isPathSegment } from '../../apimachinery/name-validation.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { configMap, secret } from './config-map-and-secret-validation.ts';
import {
  limitDefaults,
  namespaceDefaults,
  nodeSpecDefaults,
  nodeStatusDefaults,
  secretDefaults,
  volumeDefaults,
} from './core-defaults.ts';
import { accountWarnings, endpointsWarnings, nodeWarnings, secretWarnings } from './core-warnings.ts';
import { endpoints } from './endpoint-validation.ts';
import { coreEvent } from './event-validation.ts';
import { limitRange } from './limit-validation.ts';
import { namespace, namespaceStatus } from './namespace-validation.ts';
import { node, nodeStatus } from './node-validation.ts';
import { pod, podTemplate } from './pods/pod-kinds.ts';
import { quotaStatus, resourceQuota } from './quota-validation.ts';
import { replicationController } from './replication-controller.ts';
import { serviceDefaults, servicePortDefaults, serviceStatusDefaults } from './services/service-defaults.ts';
import { service, serviceStatus } from './services/service-validation.ts';
import { balancerWarnings, serviceWarnings } from './services/service-warnings.ts';
import { claimStatus, persistentVolumeClaim } from './volumes/claim-validation.ts';
import { persistentVolume } from './volumes/persistent-volume-validation.ts';
import { claimWarnings, volumeWarnings } from './volumes/volume-warnings.ts';

const serviceKind: BuiltinKind = {
  checkName: isLabel1035,
  defaults: {
    'core.Service': serviceStatusDefaults,
    'core.ServiceSpec': serviceDefaults,
    'core.ServicePort': servicePortDefaults,
  },
  check: service,
  checkStatus: serviceStatus,
  warn: serviceWarnings,
  warnOfStatus: balancerWarnings,
};

const nodeKind: BuiltinKind = {
  defaults: { 'core.NodeSpec': nodeSpecDefaults, 'core.NodeStatus': nodeStatusDefaults },
  check: node,
  checkStatus: nodeStatus,
  warn: nodeWarnings,
};

const namespaceKind: BuiltinKind = {
  checkName: isLabel,
  values: { 'core.NamespaceStatus': { phase: 'Active' } },
  defaults: { 'core.Namespace': namespaceDefaults },
  check: namespace,
  checkStatus: namespaceStatus,
};

const volumeKind: BuiltinKind = {
  values: { 'core.PersistentVolumeStatus': { phase: 'Pending' } },
  defaults: { 'core.PersistentVolume': volumeDefaults },
  check: persistentVolume,
  checkStatus: () => [],
  warn: volumeWarnings,
};

const claimKind: BuiltinKind = {
  values: {
    'core.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
    'core.PersistentVolumeClaimStatus': { phase: 'Pending' },
  },
  check: persistentVolumeClaim,
  checkStatus: claimStatus,
  warn: claimWarnings,
};

/** Rules of the kinds of the group, by type. */
export const coreKinds: Readonly<Record<string, BuiltinKind>> = {
  'core.ConfigMap': { check: configMap },
  'core.Endpoints': {
    values: { 'core.EndpointPort': { protocol: 'TCP' } },
    check: endpoints,
    warn: endpointsWarnings,
  },
  'core.Event': { checkName: isPathSegment, check: coreEvent },
  'core.LimitRange': { defaults: { 'core.LimitRangeItem': limitDefaults }, check: limitRange },
  'core.Namespace': namespaceKind,
  'core.Node': nodeKind,
  'core.PersistentVolume': volumeKind,
  'core.PersistentVolumeClaim': claimKind,
  'core.Pod': pod,
  'core.PodTemplate': podTemplate,
  'core.ReplicationController': replicationController,
  'core.ResourceQuota': { check: resourceQuota, checkStatus: quotaStatus },
  'core.Secret': {
    values: { 'core.Secret': { type: 'Opaque' } },
    defaults: { 'core.Secret': secretDefaults },
    check: secret,
    warn: secretWarnings,
  },
  'core.Service': serviceKind,
  'core.ServiceAccount': { warn: accountWarnings },
};
