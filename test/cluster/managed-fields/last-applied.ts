/** Migration between client-side and server-side apply by the last-applied annotation. */

import { isFields } from '../apimachinery/object.ts';
import { compare } from './compare.ts';
import { type Conflict, ConflictError } from './conflicts.ts';
import { difference, type FieldSet, isBare, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of-object.ts';
import { type MergeType, TypedError } from './merge-type.ts';
import type { Applied, Members } from './ownership-updater.ts';
import { goJson } from './path-element.ts';
import { checkFits } from './typed-validation.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const maxBytes = 256 * 1024;

/** Field manager that client-side apply migrates to. */
export const kubectl = 'kubectl';

const annotationsOf = ({ metadata }: Members): Members =>
  isFields(metadata) && isFields(metadata.annotations) ? metadata.annotations : {};

function lastAppliedOf(live: Members): Members | undefined {
  const text = annotationsOf(live)[annotation];
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Merge type at the request's version. */
interface Version {
  readonly type: MergeType;
  readonly apiVersion: string;
}

/** Returns the fields of the last client-side apply that are unchanged since; undefined without one at this version. */
function clientApplied({ type, apiVersion }: Version, live: Members): FieldSet | undefined {
  const last = lastAppliedOf(live);
  if (last?.apiVersion !== apiVersion) return undefined;
  try {
    checkFits(type, last);
    const { modified, added, removed } = compare(type, last, live);
    return difference(fieldSetOf(type, last), union(union(modified, added), removed));
  } catch (error) {
    if (error instanceof TypedError) return undefined;
    throw error;
  }
}

/** Apply by kubectl. */
export interface KubectlApply extends Version {
  readonly live: Members;
  /** Performs the apply, forced or as requested. */
  readonly apply: (force?: true) => Applied;
}

/** Performs an apply by kubectl; fields last set by client-side apply do not conflict. Throws a ConflictError for other fields. */
export function withClientApplied({ live, apply, ...version }: KubectlApply): Applied {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const allowed = clientApplied(version, live);
    if (allowed === undefined) throw error;
    const left = error.conflicts
      .map(({ manager, fields }): Conflict => ({ manager, fields: difference(fields, allowed) }))
      .filter(({ fields }) => !isBare(fields));
    if (left.length > 0) throw new ConflictError(left);
    return apply(true);
  }
}

/** JSON replacer that sorts members, as Go does for maps. */
const inNameOrder = (_name: string, value: unknown): unknown =>
  isFields(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Updates the object's last-applied annotation, if it has one; otherwise returns the same object. */
export function withLastApplied(object: Members, applied: Members): Members {
  const annotations = annotationsOf(object);
  if (typeof annotations[annotation] !== 'string' || annotations[annotation] === '') return object;
  const { [annotation]: _former, ...others } = annotationsOf(applied);
  const metadata = isFields(applied.metadata) ? applied.metadata : {};
  const noted = 'annotations' in metadata ? { ...applied, metadata: { ...metadata, annotations: others } } : applied;
  const { [annotation]: _last, ...kept } = annotations;
  const next: Members = { ...annotations, [annotation]: `${goJson(noted, inNameOrder)}\n` };
  const bytes = Object.entries(next).reduce((sum, [name, text]) => sum + Buffer.byteLength(name + String(text)), 0);
  return {
    ...object,
    metadata: { ...(object.metadata as Members), annotations: bytes > maxBytes ? kept : next },
  };
}
