/** Rules of the kinds of `resource.k8s.io`. */

import type { BuiltinKind } from '../builtin-kind.ts';
import { deviceDefaults } from './device-defaults.ts';
import { claimStatus } from './device-status-validation.ts';
import { deviceClass, resourceClaim, resourceClaimTemplate, resourceSlice } from './device-validation.ts';

/** Rules of the kinds of the group, by type. */
export const resourceKinds: Readonly<Record<string, BuiltinKind>> = {
  'resource.DeviceClass': { check: deviceClass },
  'resource.ResourceClaim': { defaults: deviceDefaults, check: resourceClaim, checkStatus: claimStatus },
  'resource.ResourceClaimTemplate': { check: resourceClaimTemplate },
  'resource.ResourceSlice': { check: resourceSlice },
};
