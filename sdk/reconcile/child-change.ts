import { canonicalJson } from '../api/digest.ts';
import type { KubeObject } from '../api/object.ts';
import { withFoldedStringData } from '../api/secret-data.ts';
import { changeTo, isMembers, type Json, type Members, type Shape, shapeOf } from './three-way.ts';

/** Which members of an object we have set, without their values; as JSON. */
export const appliedAnnotation = 'se.quencer.io/applied';

/** Members by path, such as `['spec', 'replicas']`. */
export type Paths = readonly (readonly string[])[];

function without(value: Json, [first, ...rest]: readonly string[]): Json {
  if (!isMembers(value) || first === undefined || !Object.hasOwn(value, first)) return value;
  const { [first]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [first]: without(member!, rest) };
}

/** What an author decides about an object: all but what it is called, whose it is, and its status. */
function decided(object: object, ignore: Paths): Members {
  const { apiVersion, kind, status, metadata = {}, ...rest } = object as { readonly [member: string]: Json };
  const { labels, annotations } = metadata as Members;
  const told = { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return ignore.reduce<Json>(without, { ...withFoldedStringData(rest), metadata: told }) as Members;
}

const notedText = (wish: Members): string => canonicalJson(shapeOf(wish));

/** The text of the annotation that remembers what is wanted of an object. */
export const appliedText = (wanted: object, ignore: Paths = []): string => notedText(decided(wanted, ignore));

/** What was wanted last; nothing is known of it when there is no annotation, or somebody has damaged it. */
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

/** The merge patch that brings an object to what is wanted of it, with the annotation that remembers it; undefined when nothing differs. Pure. */
export function changeOf(current: KubeObject, wanted: object, ignore: Paths = []): Json | undefined {
  const wish = decided(wanted, ignore);
  const { annotations = {}, ...metadata } = wish.metadata as { readonly annotations?: Members };
  const noted = { ...annotations, [appliedAnnotation]: notedText(wish) };
  const now = decided(current, []);
  return changeTo(lastAppliedOf(current), now, { ...wish, metadata: { ...metadata, annotations: noted } })?.patch;
}
