import { canonicalJson } from '../api/digest.ts';
import type { KubeObject } from '../api/object.ts';
import { withFoldedStringData } from '../api/secret-data.ts';
import { type Json, merged, mergePatch, type Shape, shapeOf } from './three-way.ts';

/** Which members of an object we have set, without their values; as JSON. */
export const appliedAnnotation = 'se.quencer.io/applied';

/** Members by path, such as `['spec', 'replicas']`. */
export type Paths = readonly (readonly string[])[];

type Members = { readonly [member: string]: Json };

const membersOf = (value: Json | undefined): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;

function without(value: Json, [first, ...rest]: readonly string[]): Json {
  const members = membersOf(value);
  if (members === undefined || first === undefined || !Object.hasOwn(members, first)) return value;
  const { [first]: member, ...others } = members;
  return rest.length === 0 ? others : { ...others, [first]: without(member!, rest) };
}

/** What an author decides about an object: all but what it is called, whose it is, and its status. */
function decided(object: object, ignore: Paths): Members {
  const { apiVersion, kind, status, metadata = {}, ...rest } = object as { readonly [member: string]: Json };
  const { labels, annotations } = metadata as Members;
  const told = { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return ignore.reduce<Json>(without, { ...withFoldedStringData(rest), metadata: told }) as Members;
}

/** The text of the annotation that remembers what is wanted of an object. */
export const appliedText = (wanted: object, ignore: Paths = []): string =>
  canonicalJson(shapeOf(decided(wanted, ignore)));

/** What was wanted last; nothing is known of it when somebody has damaged the annotation. */
function appliedTo({ metadata: { annotations } }: KubeObject): Shape | undefined {
  try {
    return JSON.parse(annotations?.[appliedAnnotation] ?? '1') as Shape;
  } catch {
    return undefined;
  }
}

/** The merge patch that brings an object to what is wanted of it, with the annotation that remembers it; undefined when nothing differs. Pure. */
export function changeOf(current: KubeObject, wanted: object, ignore: Paths = []): Json | undefined {
  const wish = decided(wanted, ignore);
  const { annotations = {}, ...metadata } = wish.metadata as { readonly annotations?: Members };
  const noted = { ...annotations, [appliedAnnotation]: appliedText(wanted, ignore) };
  const now = decided(current, []);
  return mergePatch(now, merged(appliedTo(current), now, { ...wish, metadata: { ...metadata, annotations: noted } }));
}
