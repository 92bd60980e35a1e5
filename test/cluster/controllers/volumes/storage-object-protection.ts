/** PVC and PV protection controllers. */

import { type ApiObject, draftOf, isFields } from '../../apimachinery/object.ts';
import { scopeOf } from '../../objects/managed-fields.ts';
import { updateObject } from '../../objects/update.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { ChangeHandler } from '../engine/change-worker.ts';

const manager = 'kube-controller-manager';

interface Kind {
  readonly plural: string;
  readonly finalizer: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  '/persistentvolumeclaims': { plural: 'persistentvolumeclaims', finalizer: 'kubernetes.io/pvc-protection' },
  '/persistentvolumes': { plural: 'persistentvolumes', finalizer: 'kubernetes.io/pv-protection' },
};

const claimsOf = ({ spec }: ApiObject): readonly string[] => {
  const volumes = isFields(spec) && Array.isArray(spec.volumes) ? spec.volumes : [];
  return volumes.flatMap((volume) =>
    isFields(volume?.persistentVolumeClaim) ? [String(volume.persistentVolumeClaim.claimName)] : [],
  );
};

const isScheduled = ({ spec }: ApiObject): boolean => isFields(spec) && Boolean(spec.nodeName);

/** Creates the PVC and PV protection controller: removes the protection finalizer of deleted claims that no scheduled pod uses, and of deleted volumes that are not bound. */
export function storageController(server: ServerContext): ChangeHandler {
  const { store, registry } = server;

  const isUsed = ({ metadata: { namespace, name }, status }: ApiObject): boolean =>
    namespace === undefined
      ? isFields(status) && status.phase === 'Bound'
      : store
          .page('/pods', { prefix: `${namespace}/` })
          .objects.some((pod) => isScheduled(pod) && claimsOf(pod).includes(name));

  const release = (collection: string, object: ApiObject): void => {
    const { plural, finalizer } = kinds[collection]!;
    const { finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer) || isUsed(object)) return;
    const draft = draftOf(object);
    draft.metadata.finalizers = finalizers.filter((name) => name !== finalizer);
    updateObject(scopeOf({ server, resource: registry.find('v1', plural)!, manager }), object, draft);
  };

  const releaseAt = (collection: string, key: string): void => {
    const current = store.get(collection, key);
    if (current !== undefined) release(collection, current);
  };

  return ({ collection, key, type, object }) => {
    if (collection === '/pods' && type === 'DELETED') {
      for (const claim of claimsOf(object)) {
        releaseAt('/persistentvolumeclaims', `${object.metadata.namespace}/${claim}`);
      }
    } else if (collection in kinds && type !== 'DELETED') releaseAt(collection, key);
  };
}
