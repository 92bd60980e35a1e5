/** Mutable resources: dependent objects, updated by a hash of the desired state and a diff (OKT). */

import type { Draft } from 'immer';
import { canonicalJson } from '../api/digest.ts';
import { apiVersionOf, type Kind } from '../api/kind.ts';
import { isOwnedBy, type KubeObject, keyOf, type ObjectKey, ownerReferenceTo } from '../api/object.ts';
import { withFoldedStringData } from '../api/secret-data.ts';
import { group } from '../api/workspace.ts';
import { nodeCrypto } from '../node-builtins.ts';
import { messageOf } from '../thrown.ts';
import type { Present, Request } from './reconciler.ts';
import { type Json, threeWayMerge, threeWayPatch } from './three-way.ts';

/** Annotation with the hash of the desired state. */
export const hashAnnotation = `${group}/hash`;

/** Hash annotation of OKT, for objects that OKT has created. */
export const oktHashAnnotation = 'operator.k8s.orange.com/okt-hash';

type Delay = number | undefined | void;

/** Dependent object of the reconciled one. The functions change a draft, never a cached object. */
export interface MutableResource<T extends KubeObject, R extends KubeObject> {
  readonly kind: Kind<R>;
  readonly name: string;
  /** Namespace of the object. @default the owner's */
  readonly namespace?: string;
  /** Unique index within one run. @default kind and key, such as `Deployment default/a` */
  readonly index?: string;
  preMutate?(draft: Draft<R>): void;
  /** Sets the fields that are written at creation, and again when another client has changed the hashed part. */
  mutateWithInitialData?(draft: Draft<R>): void;
  /** Sets the fields that depend on the reconciled object. May return the ms until the next run. */
  mutateWithCR?(draft: Draft<R>, request: Present<T>): Delay | Promise<Delay>;
  postMutate?(draft: Draft<R>): void;
  /** Returns the hashed part of an object, whose drift is corrected. @default all that the functions above set */
  getHashableRef?(object: R): unknown;
  /** Adds a controller owner reference, so that it is deleted with its owner. @default true */
  readonly enableOwnerReference?: boolean;
  /** Writes by server-side apply, with force, instead of a patch of the differences. @default false */
  readonly serverSideApply?: boolean;
}

const asJson = (value: unknown): Json => value as Json;

/** Merges a template into a draft: fields that the template does not name stay. */
export function copyTemplate<R extends object>(draft: R, template: object): void {
  Object.assign(draft, threeWayMerge(undefined, asJson(draft), asJson(template)));
}

/** Resource registered in this run, with its peer, the object on the server. */
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
  /** True when another client changed the hashed part, or the object was not owned. */
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

/** Thrown when `mutateWithCR` failed, which may be temporary; errors of the other functions are not. `cause` is the original error. */
export class MutateWithCRError extends Error {
  static {
    MutateWithCRError.prototype.name = 'MutateWithCRError';
  }
}

/** Returns the SHA-256 of canonical JSON, truncated to 128 bits, as hex digits. */
export const contentHash = (value: unknown): string =>
  nodeCrypto().hash('sha256', canonicalJson(value), 'hex').slice(0, 32);

const hashedPartOf = <T extends KubeObject, R extends KubeObject>(
  resource: MutableResource<T, R>,
  object: R,
): unknown => {
  if (resource.getHashableRef !== undefined) return resource.getHashableRef(object);
  const { metadata, ...rest } = object;
  return { ...rest, labels: metadata.labels, annotations: metadata.annotations };
};

/** Reports whether two states of an object differ in the hashed part; the default part always does. */
const differsInHash = <T extends KubeObject, R extends KubeObject>(
  resource: MutableResource<T, R>,
  a: R,
  b: R,
): boolean =>
  resource.getHashableRef === undefined ||
  contentHash(hashedPartOf(resource, a)) !== contentHash(hashedPartOf(resource, b));

/** Adds the owner reference. @throws TypeError for an object that another controller owns, or an owner in another namespace */
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

function emptyObject<R extends KubeObject>({ kind }: { readonly kind: Kind<R> }, key: ObjectKey): Draft<R> {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...key } } as Draft<R>;
}

const withHash = <R extends KubeObject>(object: R, annotation: string, hash: string): R => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [annotation]: hash } },
});

/** Returns the complete patch to the desired state if the peer has drifted. Without a recorded hash and owner it always has. Pure. */
function driftCorrection<T extends KubeObject, R extends KubeObject>(
  { resource, peer }: { readonly resource: MutableResource<T, R>; readonly peer: R },
  wanted: R,
  isRecorded: boolean,
): Pick<Mutation<R>, 'drifted' | 'change'> {
  const change = threeWayPatch(undefined, asJson(peer), asJson(wanted));
  const differs = change !== undefined && differsInHash(resource, peer, change.next as unknown as R);
  return isRecorded && !differs ? { drifted: false, change: undefined } : { drifted: true, change: change?.patch };
}

/**
 * Computes the write for a registered resource, in OKT's order: preMutate, mutateWithInitialData, mutateWithCR, postMutate, owner reference, name
 * check, hash. The desired state starts from an empty object, so fields defaulted by the server are never part of it.
 *
 * A different hash means that the desired state has changed: the peer is updated and keeps the current values of its initial data.
 * A missing hash, or an equal hash on an object that differs from the desired state, is drift: all is written again, including initial data.
 * @throws MutateWithCRError; TypeError for an invalid resource, and the errors of its other functions
 */
export async function mutationOf<T extends KubeObject, R extends KubeObject>(
  { resource, key, peer }: RegisteredResource<T, R>,
  { request, owner, hashAnnotation: annotation }: MutationOptions<T>,
): Promise<Mutation<R>> {
  const mutateWithCR = async (draft: Draft<R>): Promise<number | undefined> => {
    try {
      return (await resource.mutateWithCR?.(draft, { ...request, object: owner })) ?? undefined;
    } catch (cause) {
      throw new MutateWithCRError(messageOf(cause), { cause });
    }
  };
  const finish = (draft: Draft<R>): R => {
    resource.postMutate?.(draft);
    const object = withFoldedStringData(draft as R);
    if (keyOf(object.metadata) !== keyOf(key))
      throw new TypeError(`it was renamed to ${keyOf(object.metadata)}: names and namespaces never change`);
    return resource.enableOwnerReference === false ? object : withOwner(object, owner, peer);
  };
  const draft = emptyObject(resource, key);
  resource.preMutate?.(draft);
  resource.mutateWithInitialData?.(draft);
  const delay = await mutateWithCR(draft);
  const object = finish(draft);
  const hash = contentHash(hashedPartOf(resource, object));
  const wanted = withHash(object, annotation, hash);
  if (peer === undefined) return { wanted, drifted: false, change: undefined, requeueAfter: delay };

  const known = peer.metadata.annotations?.[annotation];
  const isOwned = resource.enableOwnerReference === false || isOwnedBy(peer, owner);
  if (known !== undefined && known !== hash && resource.mutateWithCR !== undefined && isOwned) {
    const copy = structuredClone(peer) as Draft<R>;
    await mutateWithCR(copy);
    const change = threeWayPatch(undefined, asJson(peer), asJson(withHash(finish(copy), annotation, hash)));
    return { wanted, drifted: false, change: change?.patch, requeueAfter: delay };
  }
  return { wanted, ...driftCorrection({ resource, peer }, wanted, known === hash && isOwned), requeueAfter: delay };
}
