/** Served resources, and the conversion between their versions. */

import type { ApiObject, Draft, Fields } from '../apimachinery/object.ts';
import { equal, freeze } from '../apimachinery/object.ts';
import { groupVersionOf, type ResourceInfo } from '../apimachinery/resource-info.ts';

/** Conversion of one version by a webhook, with a cache of its results. Every call rejects with the server's 500. */
export interface CachedConversion {
  /** Reports whether a stored object already has this version, so that no call is needed. */
  readonly hasThisVersion: (stored: ApiObject) => boolean;
  /** Returns the cached result of the last conversion of a stored object. */
  readonly converted: (stored: ApiObject) => ApiObject | undefined;
  /** Converts a stored object to this version anew and caches the result; from then on `view` can return it. */
  readonly convert: (stored: ApiObject) => Promise<ApiObject>;
  /** Converts an object of this version to the storage version. */
  readonly toStorageVersion: (draft: Draft) => Promise<Draft>;
  /** Reports whether all objects have been converted once since the definition last changed. */
  readonly areAllConverted: () => boolean;
  /** Records that all objects have been converted. */
  readonly markAllConverted: () => void;
  /** Returns an object at another version, from the cache. Throws an error that carries the missing conversion: see `crd/conversion/suspend-for-conversion.ts`. */
  readonly at: (object: Readonly<Fields>, apiVersion: string) => Readonly<Fields>;
}

/** Conversion between a resource's version and its storage version. */
export interface Conversion {
  /** Reports whether results may be cached; false until the rules are loaded. */
  readonly isReady?: () => boolean;
  /** Loads the rules; undefined when they are loaded. */
  readonly load?: () => Promise<unknown> | undefined;
  readonly fromStored: (object: ApiObject) => Draft;
  readonly toStored: (draft: Draft) => Draft;
  /** Set for `spec.conversion.strategy: Webhook` only; the other functions then throw for objects not converted yet. */
  readonly conversionWebhook?: CachedConversion;
}

/** Resource at one served version, with its storage and conversion. */
export interface Resource {
  readonly info: ResourceInfo;
  /** Group and version, such as `v1` or `apps/v1`. */
  readonly apiVersion: string;
  /** Name of the collection in the store; all versions and views of the same objects share it. */
  readonly collection: string;
  /** Returns a stored object at this version; the same frozen object every time. */
  readonly view: (stored: ApiObject) => ApiObject;
  /** Converts an object of this version to the stored form. */
  readonly toStored: (draft: Draft) => Draft;
  /** Caches a draft that is about to be stored as its own view, so that it is not converted again, not even for listeners called within the write. */
  readonly trust: (stored: Draft) => void;
  /** Loads what `view` and `toStored` need; undefined when there is nothing to await. */
  readonly load: () => Promise<unknown> | undefined;
  /** Set only for versions converted by a webhook. */
  readonly conversionWebhook?: CachedConversion;
}

/** Returns the store key: `namespace/name`, or `name` without a namespace. */
export const storeKeyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

/** Creates a resource; without a conversion objects are shown as they are stored. */
export function resourceOf(info: ResourceInfo, collection: string, conversion?: Conversion): Resource {
  const apiVersion = groupVersionOf(info);
  if (conversion === undefined) {
    return {
      info,
      apiVersion,
      collection,
      view: (stored) => stored,
      toStored: (draft) => draft,
      trust: () => {},
      load: () => undefined,
    };
  }
  const views = new WeakMap<object, ApiObject>();
  const view = (stored: ApiObject): ApiObject => {
    const known = views.get(stored);
    if (known !== undefined) return known;
    const draft = conversion.fromStored(stored);
    // The webhook may be asked again, so its result is not cached here.
    if (conversion.conversionWebhook?.hasThisVersion(stored) === false) return draft as unknown as ApiObject;
    const made = equal(draft, stored) ? stored : (freeze(draft) as unknown as ApiObject);
    if (conversion.isReady?.() ?? true) views.set(stored, made);
    return made;
  };
  // Drafts are stored unchanged, then frozen.
  const trust = (stored: Draft): void => {
    if (stored.apiVersion === apiVersion) views.set(stored, stored as unknown as ApiObject);
  };
  return {
    info,
    apiVersion,
    collection,
    view,
    toStored: conversion.toStored,
    trust,
    load: conversion.load ?? (() => undefined),
    ...(conversion.conversionWebhook !== undefined && { conversionWebhook: conversion.conversionWebhook }),
  };
}

/** Served resources by group, version and plural. Changes as definitions are added and removed. */
export class Registry {
  readonly #versions = new Map<string, Map<string, Resource>>();
  readonly #derived = new Map<string, unknown>();
  #revision = 0;

  /** Counter that rises with every change; the hashes in discovery are derived from it. */
  get revision(): number {
    return this.#revision;
  }

  /** Caches a value derived from the served resources until they change. `name` is the cache key. */
  derived<T>(name: string, make: () => T): T {
    if (!this.#derived.has(name)) this.#derived.set(name, make());
    return this.#derived.get(name) as T;
  }

  #change(): void {
    this.#revision += 1;
    this.#derived.clear();
  }

  /** Serves a resource, in place of an earlier one of the same group, version and plural. */
  add(resource: Resource): void {
    this.#change();
    const known = this.#versions.get(resource.apiVersion);
    if (known === undefined) this.#versions.set(resource.apiVersion, new Map([[resource.info.plural, resource]]));
    else known.set(resource.info.plural, resource);
  }

  /** Stops serving a resource. */
  remove({ apiVersion, info }: Resource): void {
    this.#change();
    const known = this.#versions.get(apiVersion);
    known?.delete(info.plural);
    if (known?.size === 0) this.#versions.delete(apiVersion);
  }

  /** Returns the resource of a path, or undefined. */
  find(apiVersion: string, plural: string): Resource | undefined {
    return this.#versions.get(apiVersion)?.get(plural);
  }

  /** Returns the resource of a kind, or undefined. */
  ofKind({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Resource | undefined {
    for (const resource of this.#versions.get(apiVersion)?.values() ?? []) {
      if (resource.info.kind === kind) return resource;
    }
    return undefined;
  }

  /** Reports whether any resource is served under a group and version. */
  serves(apiVersion: string): boolean {
    return this.#versions.has(apiVersion);
  }

  /** Returns all resources, in the order they were added. */
  all(): readonly Resource[] {
    return [...this.#versions.values()].flatMap((resources) => [...resources.values()]);
  }

  /** Returns one resource per collection, for controllers that read every object once. */
  collections(): readonly Resource[] {
    const first = new Map<string, Resource>();
    for (const resource of this.all()) if (!first.has(resource.collection)) first.set(resource.collection, resource);
    return [...first.values()];
  }
}
