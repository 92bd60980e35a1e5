/** Field managers of writes to the `scale` subresource. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { ApiObject, Draft, Fields } from '../../apimachinery/object.ts';
import { builtinMergeTypes } from '../../managed-fields/builtin-merge-type.ts';
import { afterWrite, type ManagedWrite } from '../../managed-fields/field-manager.ts';
import { leaf } from '../../managed-fields/field-set.ts';
import { entriesOf, type Managers } from '../../managed-fields/managers.ts';
import { fieldElement } from '../../managed-fields/path-element.ts';
import {
  managersAfterScale,
  type ReplicasPath,
  scaleManagersOf,
  scaleVersion,
} from '../../managed-fields/scale-managers.ts';
import type { ManagedFields } from '../../objects/write-scope.ts';
import { scalePathOf } from '../../schema/scale-paths.ts';
import { managerOf } from '../managed-fields.ts';
import { managersOf } from '../patch/apply-patch.ts';
import type { Call } from '../resource-call.ts';

const builtinPath = ['f:spec', 'f:replicas'];

/** Returns the path of the replica count in each version of a call's kind. */
function pathsOf({ server: { registry }, resource }: Call): ReplicasPath {
  return (apiVersion) => {
    const version = registry.find(apiVersion, resource.info.plural);
    if (version?.collection !== resource.collection) return undefined;
    const { custom } = version.info;
    if (custom === undefined) return builtinPath;
    return custom.scale === undefined ? null : scalePathOf(custom.scale.specReplicasPath).map(fieldElement);
  };
}

/** Returns the tracked write to a Scale; `given` is the client's `fieldManager`, or empty. */
export async function trackedScale(call: Call, given: string): Promise<ManagedWrite> {
  const { server } = call;
  const types = await server.scheme.types();
  return {
    shape: { type: builtinMergeTypes(types)('autoscaling.Scale'), blank: {} },
    manager: managerOf(call, given),
    apiVersion: scaleVersion,
    subresource: 'scale',
    at: () => undefined,
    ignored: () => leaf,
    now: timestampOf(server.clock.now()),
  };
}

/** Returns the managers of a Scale, derived from those of its object. */
export const managersOfScale = (call: Call, live: ApiObject): Managers =>
  scaleManagersOf(managersOf(live), pathsOf(call));

/** Returns the computation of an object's managers from those of its Scale. */
export const managersFromScale =
  (call: Call, ofScale: Managers): ManagedFields =>
  ({ live }) => {
    const { apiVersion } = call.resource;
    return entriesOf(managersAfterScale({ managers: managersOf(live), apiVersion, pathAt: pathsOf(call) }, ofScale));
  };

/** Returns the computation of an object's managers after a plain write to its Scale, which `scaleOf` makes. */
export function scaleManagedFields(
  call: Call,
  tracked: ManagedWrite,
  scaleOf: (object: ApiObject | Draft) => Fields,
): ManagedFields {
  return (write) => {
    const live = write.live!;
    const managers = managersOfScale(call, live);
    const ofScale = afterWrite(tracked, { live: scaleOf(live), next: scaleOf(write.next), managers });
    return managersFromScale(call, ofScale)(write);
  };
}
