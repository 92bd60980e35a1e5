/** Kinds of `resource.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { deviceClaimStrategy } from './device-claim-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const resourceTable = `\
resource.k8s.io/v1
  DeviceClass deviceclasses #weQRMT6DeYM= generation unconditional returned
  ResourceClaim resourceclaims #EJAWH5WrAYg= namespaced unconditional returned /status
  ResourceClaimTemplate resourceclaimtemplates #24m0okHrUtk= namespaced unconditional returned
  ResourceSlice resourceslices #z6Bc9vgk6yE= generation unconditional returned ?spec.driver ?spec.nodeName`;

/** Strategies of the group, by collection. */
export const resourceStrategies: Readonly<Record<string, Strategy>> = {
  'resource.k8s.io/resourceclaims': deviceClaimStrategy,
};
