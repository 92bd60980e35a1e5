/** Types common to all Kubernetes objects: metadata, keys and owner references. */

/** Reference from a dependent to its owner, as Kubernetes' garbage collector reads it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Metadata of any Kubernetes object. Times are RFC 3339 strings. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

/** Any object that the API server stores. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Name of an object within its kind; `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** Formats a key as `namespace/name`, or `name` for cluster-scoped objects, as used in queues, stores, logs and errors. */
export const keyOf = ({ namespace, name }: ObjectKey): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Returns the key of an object. */
export const objectKeyOf = ({ metadata: { namespace, name } }: KubeObject): ObjectKey =>
  namespace === undefined ? { name } : { namespace, name };

/** Inverse of {@link keyOf}. */
export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return slash === -1 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Reports whether the object has a deletion timestamp. */
export const isDeleting = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Returns a controller owner reference to `owner`, which must have been read from a server (uid). */
export const ownerReferenceTo = ({ apiVersion, kind, metadata: { name, uid = '' } }: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** Reports whether `owner` is among the owners of `object`, by uid. */
export const isOwnedBy = (object: KubeObject, owner: KubeObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;

/** `T` with all members deeply readonly: objects are frozen and changed by recipes. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: Frozen<T[Member]> }
    : T;
