/** Three-way merge of child objects, with an annotation of the last applied members. */

import { canonicalJson } from '../../api/digest.ts';
import { isJsonObject } from '../../api/json.ts';
import type { KubeObject } from '../../api/object.ts';
import { withFoldedStringData } from '../../api/secret-data.ts';
import { type Json, type Members, type Shape, shapeOf, threeWayPatch } from '../three-way.ts';

/** Annotation with the members that the controller has set, as JSON without their values. */
export const appliedAnnotation = 'se.quencer.io/applied';

/** Paths of members, such as `['spec', 'replicas']`. */
export type Paths = readonly (readonly string[])[];

function without(value: Json, [first, ...rest]: readonly string[]): Json {
  if (!isJsonObject(value) || first === undefined || !Object.hasOwn(value, first)) return value;
  const { [first]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [first]: without(member!, rest) };
}

/** Returns the part of an object that its author determines: all but its identity, owners and status. */
function authoredState(object: object, ignore: Paths): Members {
  const { apiVersion, kind, status, metadata = {}, ...rest } = object as { readonly [member: string]: Json };
  const { labels, annotations } = metadata as Members;
  const authored = { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return ignore.reduce<Json>(without, { ...withFoldedStringData(rest), metadata: authored }) as Members;
}

const appliedTextOf = (desired: Members): string => canonicalJson(shapeOf(desired));

/** Returns the value of the annotation of applied members for a desired object. */
export const appliedText = (wanted: object, ignore: Paths = []): string => appliedTextOf(authoredState(wanted, ignore));

/** Reads the last applied members; an absent or invalid annotation counts as none. */
export function lastAppliedOf(
  { metadata: { annotations } }: KubeObject,
  annotation: string = appliedAnnotation,
): Shape {
  try {
    return JSON.parse(annotations?.[annotation] ?? '1') as Shape;
  } catch {
    return 1;
  }
}

/** Returns the merge patch to the desired state, including the annotation of applied members; undefined when there is no difference. Pure. */
export function changeOf(current: KubeObject, wanted: object, ignore: Paths = []): Json | undefined {
  const desired = authoredState(wanted, ignore);
  const { annotations = {}, ...metadata } = desired.metadata as { readonly annotations?: Members };
  const annotated = { ...annotations, [appliedAnnotation]: appliedTextOf(desired) };
  const actual = authoredState(current, []);
  return threeWayPatch(lastAppliedOf(current), actual, {
    ...desired,
    metadata: { ...metadata, annotations: annotated },
  })?.patch;
}
