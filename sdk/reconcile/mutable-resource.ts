/** Mutable resources: decides from a hash and a diff what to write to a dependent object (OKT). */

import crypto from 'node:crypto';
import type { Draft } from 'immer';
import { canonicalJson } from '../api/digest.ts';
import { apiVersionOf, type Kind } from '../api/kind.ts';
import { isOwnedBy, type KubeObject, keyOf, type ObjectKey, ownerReferenceTo } from '../api/object.ts';
import { withFoldedStringData } from '../api/secret-data.ts';
import { group } from '../api/workspace.ts';
import { messageOf } from '../thrown.ts';
import type { Present, Request } from './reconciler.ts';
import { changeTo, type Json, merged } from './three-way.ts';

/** Annotation with the hash of the desired state. */
export const hashAnnotation = `${group}/hash`;

/** OKT's name of the annotation, for objects created by OKT. */
export const oktHashAnnotation = 'operator.k8s.orange.com/okt-hash';

type Delay = number | undefined | void;

/** Dependent object of the reconciled one. The functions change a draft, never a cached object. */
export interface MutableResource<T extends KubeObject, R extends KubeObject> {
  readonly kind: Kind<R>;
  readonly name: string;
  /** Namespace of the object. @default the owner's */
  readonly namespace?: string;
  /** Identifies it within one run. @default its kind and key, such as `Deployment default/a` */
  readonly index?: string;
  preMutate?(draft: Draft<R>): void;
  /** Sets the fields that are written at creation, and again when another client has changed what is hashed. */
  mutateWithInitialData?(draft: Draft<R>): void;
  /** Sets the fields that depend on the reconciled object. May return the ms until the next run. */
  mutateWithCR?(draft: Draft<R>, request: Present<T>): Delay | Promise<Delay>;
  postMutate?(draft: Draft<R>): void;
  /** Returns the part of an object whose drift is corrected. @default all that the functions above set */
  getHashableRef?(object: R): unknown;
  /** Adds a controller owner reference, so that it is deleted with its owner. @default true */
  readonly enableOwnerReference?: boolean;
  /** Writes by server-side apply, with force, instead of a patch of the differences. @default false */
  readonly serverSideApply?: boolean;
}

const asJson = (value: unknown): Json => value as Json;

/** Merges a template into a draft: fields that the template does not name stay. */
export function copyTemplate<R extends object>(draft: R, template: object): void {
  Object.assign(draft, merged(undefined, asJson(draft), asJson(template)));
}

/** Resource registered in this run, with its state on the server. */
export interface RegisteredResource<T extends KubeObject, R extends KubeObject = KubeObject> {
  readonly resource: MutableResource<T, R>;
  readonly index: string;
  readonly key: ObjectKey;
  /** Object on the server; absent when it is to be created. */
  readonly peer: R | undefined;
}

/** Result of a mutation: the write to make, if any. */
export interface Mutation<R extends KubeObject> {
  /** Complete desired object, as at creation. */
  readonly wanted: R;
  /** True when another client changed what is hashed, or the object was not owned. */
  readonly drifted: boolean;
  /** Merge patch to the desired state; absent when there is nothing to write, or the object is to be created. */
  readonly change: Json | undefined;
  readonly requeueAfter: number | undefined;
}

/** Options of {@link mutationOf}. */
export interface MutationOptions<T extends KubeObject> {
  readonly request: Request<T>;
  readonly owner: T;
  readonly hashAnnotation: string;
}

/** Thrown when `mutateWithCR` failed: the only function of a resource whose failure may be temporary. `cause` is the original error. */
export class MutateWithCRError extends Error {
  static {
    MutateWithCRError.prototype.name = 'MutateWithCRError';
  }
}

/** Returns the SHA-256 of canonical JSON, truncated to 128 bits, as hex digits. */
export const contentHash = (value: unknown): string => crypto.hash('sha256', canonicalJson(value), 'hex').slice(0, 32);

const scopeOf = <T extends KubeObject, R extends KubeObject>(resource: MutableResource<T, R>, object: R): unknown => {
  if (resource.getHashableRef !== undefined) return resource.getHashableRef(object);
  const { metadata, ...rest } = object;
  return { ...rest, labels: metadata.labels, annotations: metadata.annotations };
};

/** Reports whether two states of an object differ in what is hashed. */
const isInScope = <T extends KubeObject, R extends KubeObject>(resource: MutableResource<T, R>, a: R, b: R): boolean =>
  resource.getHashableRef === undefined || contentHash(scopeOf(resource, a)) !== contentHash(scopeOf(resource, b));

/** Adds the owner reference; refuses an object that another controller owns. @throws TypeError */
function withOwner<R extends KubeObject>(object: R, owner: KubeObject, peer: R | undefined): R {
  const { namespace } = owner.metadata;
  if (namespace !== undefined && namespace !== object.metadata.namespace)
    throw new TypeError(
      `an owner in namespace ${namespace} can own nothing outside: set enableOwnerReference to false`,
    );
  const owners = peer?.metadata.ownerReferences ?? [];
  const foreign = owners.find(({ controller, uid }) => controller && uid !== owner.metadata.uid);
  if (foreign !== undefined) throw new TypeError(`it belongs to ${foreign.kind} ${foreign.name}`);
  const isListed = owners.some(({ uid }) => uid === owner.metadata.uid);
  const ownerReferences = isListed ? owners : [...owners, ownerReferenceTo(owner)];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function blankOf<R extends KubeObject>({ kind }: { readonly kind: Kind<R> }, key: ObjectKey): Draft<R> {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...key } } as Draft<R>;
}

const withHash = <R extends KubeObject>(object: R, annotation: string, hash: string): R => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [annotation]: hash } },
});

/** Returns the complete patch to the desired state if the peer has drifted: another hash or owner is drift even where nothing hashed differs. Pure. */
function driftCorrection<T extends KubeObject, R extends KubeObject>(
  { resource, peer }: { readonly resource: MutableResource<T, R>; readonly peer: R },
  wanted: R,
  isRecorded: boolean,
): Pick<Mutation<R>, 'drifted' | 'change'> {
  const change = changeTo(undefined, asJson(peer), asJson(wanted));
  const differs = change !== undefined && isInScope(resource, peer, change.next as unknown as R);
  return isRecorded && !differs ? { drifted: false, change: undefined } : { drifted: true, change: change?.patch };
}

/**
 * Decides the write for a registered resource, in OKT's order: preMutate, initial data, the data of the reconciled object, postMutate, owner
 * reference, name check, hash.
 * The desired state is computed from scratch, so fields defaulted by the server are never part of it.
 *
 * A different hash means that the desired state has changed: the peer is updated, and keeps its initial data as they are by now.
 * No hash, or the right one on an object that differs from the desired state, is drift: all is written again, including initial data.
 * @throws MutateWithCRError; TypeError for an invalid resource, and the errors of its other functions
 */
export async function mutationOf<T extends KubeObject, R extends KubeObject>(
  { resource, key, peer }: RegisteredResource<T, R>,
  { request, owner, hashAnnotation: annotation }: MutationOptions<T>,
): Promise<Mutation<R>> {
  const followed = async (draft: Draft<R>): Promise<number | undefined> => {
    try {
      return (await resource.mutateWithCR?.(draft, { ...request, object: owner })) ?? undefined;
    } catch (cause) {
      throw new MutateWithCRError(messageOf(cause), { cause });
    }
  };
  const finished = (draft: Draft<R>): R => {
    resource.postMutate?.(draft);
    const object = withFoldedStringData(draft as R);
    if (keyOf(object.metadata) !== keyOf(key))
      throw new TypeError(`it was renamed to ${keyOf(object.metadata)}: names and namespaces never change`);
    return resource.enableOwnerReference === false ? object : withOwner(object, owner, peer);
  };
  const blank = blankOf(resource, key);
  resource.preMutate?.(blank);
  resource.mutateWithInitialData?.(blank);
  const delay = await followed(blank);
  const object = finished(blank);
  const hash = contentHash(scopeOf(resource, object));
  const wanted = withHash(object, annotation, hash);
  if (peer === undefined) return { wanted, drifted: false, change: undefined, requeueAfter: delay };

  const known = peer.metadata.annotations?.[annotation];
  const isOurs = resource.enableOwnerReference === false || isOwnedBy(peer, owner);
  if (known !== undefined && known !== hash && resource.mutateWithCR !== undefined && isOurs) {
    const copy = structuredClone(peer) as Draft<R>;
    await followed(copy);
    const change = changeTo(undefined, asJson(peer), asJson(withHash(finished(copy), annotation, hash)));
    return { wanted, drifted: false, change: change?.patch, requeueAfter: delay };
  }
  return { wanted, ...driftCorrection({ resource, peer }, wanted, known === hash && isOurs), requeueAfter: delay };
}
