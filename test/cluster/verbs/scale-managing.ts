import { builtinMergeTypes } from '../apply/builtin-type.ts';
import { fieldElement } from '../apply/element.ts';
import { leaf } from '../apply/field-set.ts';
import { entriesOf, type Managers } from '../apply/managers.ts';
import { managersAfterScale, type ReplicasPath, scaleManagersOf, scaleVersion } from '../apply/scale-managers.ts';
import { afterWrite, type Tracked } from '../apply/tracking.ts';
import { timestampOf } from '../machinery.ts';
import type { ApiObject, Draft, Fields } from '../objects/object.ts';
import type { ManagedFields } from '../objects/scope.ts';
import { scalePathOf } from '../schema/scale.ts';
import { managersOf } from './applied.ts';
import type { Call } from './call.ts';
import { managerOf } from './managing.ts';

const builtinPath = ['f:spec', 'f:replicas'];

/** Where each version of a call's kind keeps its count. */
function pathsOf({ machinery: { registry }, resource }: Call): ReplicasPath {
  return (apiVersion) => {
    const version = registry.find(apiVersion, resource.info.plural);
    if (version?.collection !== resource.collection) return undefined;
    const { custom } = version.info;
    if (custom === undefined) return builtinPath;
    return custom.scale === undefined ? null : scalePathOf(custom.scale.specReplicasPath).map(fieldElement);
  };
}

/** A write to a Scale as its managers of fields see it; `given` is the name that the client gave, or empty. */
export async function scaleTracked(call: Call, given: string): Promise<Tracked> {
  const { machinery } = call;
  const types = await machinery.rules.types();
  return {
    shape: { type: builtinMergeTypes(types)('autoscaling.Scale'), blank: {} },
    manager: managerOf(call, given),
    apiVersion: scaleVersion,
    subresource: 'scale',
    at: () => undefined,
    ignored: () => leaf,
    now: timestampOf(machinery.clock.now()),
  };
}

/** The managers that a call's Scale has while its object is as given. */
export const managersOfScale = (call: Call, live: ApiObject): Managers =>
  scaleManagersOf(managersOf(live), pathsOf(call));

/** Who owns which fields of an object whose Scale has these managers now. */
export const scaledBy =
  (call: Call, ofScale: Managers): ManagedFields =>
  ({ live }) => {
    const { apiVersion } = call.resource;
    return entriesOf(managersAfterScale({ managers: managersOf(live), apiVersion, pathAt: pathsOf(call) }, ofScale));
  };

/** Who owns which fields of an object after a plain write to its Scale, which `scaleOf` shows. */
export function scaleManagedFields(
  call: Call,
  tracked: Tracked,
  scaleOf: (object: ApiObject | Draft) => Fields,
): ManagedFields {
  return (write) => {
    const live = write.live!;
    const managers = managersOfScale(call, live);
    const ofScale = afterWrite(tracked, { live: scaleOf(live), next: scaleOf(write.next), managers });
    return scaledBy(call, ofScale)(write);
  };
}
