import { hash as digestOf } from 'node:crypto';
import type { Draft } from 'immer';
import { canonicalJson } from '../api/digest.ts';
import { apiVersionOf, type Kind } from '../api/kind.ts';
import { isOwnedBy, type KubeObject, keyOf, type ObjectKey, ownerReferenceTo } from '../api/object.ts';
import { withFoldedStringData } from '../api/secret-data.ts';
import { group } from '../api/workspace.ts';
import { messageOf } from '../errors.ts';
import type { Present, Request } from './reconciler.ts';
import { changeTo, type Json, merged } from './three-way.ts';

/** The annotation that holds the hash of what is wanted of an object. */
export const hashAnnotation = `${group}/hash`;

/** OKT's own name for it, for objects that OKT has made. */
export const oktHashAnnotation = 'operator.k8s.orange.com/okt-hash';

type Delay = number | undefined | void;

/** One object that the reconciled one is to have. The functions change a draft; nothing they are given belongs to a cache. */
export interface MutableResource<T extends KubeObject, R extends KubeObject> {
  readonly kind: Kind<R>;
  readonly name: string;
  /** @default the owner's */
  readonly namespace?: string;
  /** Names it within one run. @default its kind and key, such as `Deployment default/a` */
  readonly index?: string;
  preMutate?(draft: Draft<R>): void;
  /** What is written when the object is made, and again when somebody has changed what is hashed. */
  mutateWithInitialData?(draft: Draft<R>): void;
  /** What the reconciled object says about it. May return the ms after which to look again. */
  mutateWithCR?(draft: Draft<R>, request: Present<T>): Delay | Promise<Delay>;
  postMutate?(draft: Draft<R>): void;
  /** The part of an object whose change by somebody else is mended. @default all that the functions above set */
  getHashableRef?(object: R): unknown;
  /** Whether it gets a controller owner reference, and goes with its owner. @default true */
  readonly enableOwnerReference?: boolean;
  /** Writes by server-side apply, with force, instead of a patch of what differs. @default false */
  readonly serverSideApply?: boolean;
}

const asJson = (value: unknown): Json => value as Json;

/** Lays a template over a draft: what the template does not name stays. */
export function copyTemplate<R extends object>(draft: R, template: object): void {
  Object.assign(draft, merged(undefined, asJson(draft), asJson(template)));
}

/** A resource of this run, and what is known of it. */
export interface RegisteredResource<T extends KubeObject, R extends KubeObject = KubeObject> {
  readonly resource: MutableResource<T, R>;
  readonly index: string;
  readonly key: ObjectKey;
  /** As the server has it; absent when it is to be made. */
  readonly peer: R | undefined;
}

/** What mutating decided: what is to be sent, if anything. */
export interface Mutation<R extends KubeObject> {
  /** All that is wanted of the object, as when it is made. */
  readonly wanted: R;
  /** Whether somebody else changed what is hashed, or it was never ours. */
  readonly drifted: boolean;
  /** The merge patch that brings the object to what is wanted; absent when nothing is to be written, or it is to be made. */
  readonly change: Json | undefined;
  readonly requeueAfter: number | undefined;
}

/** What every mutation needs. */
export interface MutationOptions<T extends KubeObject> {
  readonly request: Request<T>;
  readonly owner: T;
  readonly hashAnnotation: string;
}

/** `mutateWithCR` failed: unlike any other function of a resource it may, for a while. `cause` is why. */
export class MutateWithCRError extends Error {
  static {
    MutateWithCRError.prototype.name = 'MutateWithCRError';
  }
}

/** SHA-256 of the data in whatever order, 128 bits as hex digits. */
export const contentHash = (value: unknown): string => digestOf('sha256', canonicalJson(value), 'hex').slice(0, 32);

const scopeOf = <T extends KubeObject, R extends KubeObject>(resource: MutableResource<T, R>, object: R): unknown => {
  if (resource.getHashableRef !== undefined) return resource.getHashableRef(object);
  const { metadata, ...rest } = object;
  return { ...rest, labels: metadata.labels, annotations: metadata.annotations };
};

/** Whether what differs between two states of an object is hashed. */
const isInScope = <T extends KubeObject, R extends KubeObject>(resource: MutableResource<T, R>, a: R, b: R): boolean =>
  resource.getHashableRef === undefined || contentHash(scopeOf(resource, a)) !== contentHash(scopeOf(resource, b));

/** What is wanted is its owner's, and says so; what is there may not be another controller's. @throws TypeError */
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

/**
 * Decides what becomes of a registered resource, in OKT's order: preMutate, initial data, the data of the reconciled object, postMutate, owner reference, name check, hash.
 * What is wanted is worked out from nothing, so what a server defaults is never part of it.
 *
 * A hash that differs means that the wishes have changed: the peer gets them, and keeps its initial data as they are by now.
 * No hash, or the right one beside data that are not what is wanted, is drift: all is written again, initial data too.
 * @throws MutateWithCRError; TypeError for a resource that cannot be, and what its other functions throw
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
  const change = changeTo(undefined, asJson(peer), asJson(wanted));
  const isMended = change !== undefined && isInScope(resource, peer, change.next as unknown as R);
  const drifted = known !== hash || !isOurs || isMended;
  return { wanted, drifted, change: drifted ? change?.patch : undefined, requeueAfter: delay };
}
