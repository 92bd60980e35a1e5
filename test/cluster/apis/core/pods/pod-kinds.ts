/** Rules of Pods and PodTemplates. */

import type { Fields } from '../../../apimachinery/object.ts';
import { type DefaultRule, withMissing, withoutFields } from '../../../resources/defaulting.ts';
import type { BuiltinKind } from '../../builtin-kind.ts';
import { withoutDisabled } from './drop-disabled-fields.ts';
import { podDefaults, pullPolicyOf } from './pod-defaults.ts';
import { podErrors, podTemplateErrors } from './pod-validation.ts';
import { podTemplateWarn, podWarn } from './warnings/template-warnings.ts';

/** `serviceAccountName` and its deprecated alias `serviceAccount` default to each other. */
const podSpec: DefaultRule = (value) => {
  const spec = withoutDisabled(value);
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  return name === undefined ? spec : { ...spec, serviceAccountName: name, serviceAccount: name };
};

const containerDefaults: DefaultRule = (value) => withMissing(value, { imagePullPolicy: pullPolicyOf(value.image) });

const volume: DefaultRule = (value) => (Object.keys(value).length > 1 ? value : { ...value, emptyDir: {} });

const grpc: DefaultRule = (value) =>
  value.service === undefined || value.service === null ? { ...value, service: '' } : value;

const container: Fields = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };
const mode: Fields = { defaultMode: 420 };

/** Pods, with the defaults of pod templates of all kinds. */
export const pod: BuiltinKind = {
  values: {
    'core.PodSpec': {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
    'core.Container': container,
    'core.EphemeralContainer': container,
    'core.Probe': { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
    'core.HTTPGetAction': { path: '/', scheme: 'HTTP' },
    'core.ObjectFieldSelector': { apiVersion: 'v1' },
    'core.SecretVolumeSource': mode,
    'core.ConfigMapVolumeSource': mode,
    'core.DownwardAPIVolumeSource': mode,
    'core.ProjectedVolumeSource': mode,
    'core.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
    'core.HostPathVolumeSource': { type: '' },
    'core.AzureDiskVolumeSource': { readOnly: false },
  },
  defaults: {
    'core.Pod': podDefaults,
    'core.PodSpec': podSpec,
    'core.PodStatus': withoutFields('allocatedResources', 'resources'),
    'core.Container': containerDefaults,
    'core.EphemeralContainer': containerDefaults,
    'core.Volume': volume,
    'core.GRPCAction': grpc,
  },
  check: podErrors,
  checkStatus: (object, old) => podErrors(object, old, 'status'),
  warn: podWarn,
};

/** PodTemplates. */
export const podTemplate: BuiltinKind = { check: podTemplateErrors, warn: podTemplateWarn };
