/** Kinds of `storage.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { specAndMetadata } from '../status-reset-fields.ts';
import { driverStrategy, protectedBy } from './storage-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const storageTable = `\
storage.k8s.io/v1
  CSIDriver csidrivers #hL6j/rwBV5w= generation returned
  CSINode csinodes #Pe62DkZtjuo= returned
  CSIStorageCapacity csistoragecapacities #xeVl+2Ly1kE= namespaced
  StorageClass storageclasses -sc #K+m6uJwbjGY= unconditional returned
  VolumeAttachment volumeattachments #tJx/ezt6UDU= returned /status
  VolumeAttributesClass volumeattributesclasses -vac #Bl3MtjZ/n/s= unconditional returned`;

/** Strategies of the group, by collection. */
export const storageStrategies: Readonly<Record<string, Strategy>> = {
  'storage.k8s.io/csidrivers': { ...driverStrategy, validationPasses: { times: 3 } },
  'storage.k8s.io/volumeattributesclasses': {
    ...protectedBy('kubernetes.io/vac-protection'),
    validationPasses: { times: 5 },
  },
  'storage.k8s.io/volumeattachments': { resetFields: specAndMetadata },
};
