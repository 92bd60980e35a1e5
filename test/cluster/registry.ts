import { groupVersionOf, type ResourceInfo } from './kinds/resource-info.ts';
import type { ApiObject, Draft, Fields } from './objects/object.ts';
import { equal, freeze } from './objects/object.ts';

/** Where a webhook makes one version of another: what it is asked for. All of it rejects with the server's 500. */
export interface Remote {
  /** Whether a stored object is at the resource's version, so that nobody needs to be asked. */
  readonly isLocal: (stored: ApiObject) => boolean;
  /** What was made of a stored object the last time. */
  readonly shown: (stored: ApiObject) => ApiObject | undefined;
  /** Has a stored object made one of the resource's version, again if it was before, and remembers it: from then on it can be viewed. */
  readonly show: (stored: ApiObject) => Promise<ApiObject>;
  /** Has an object of the resource's version made one that can be stored. */
  readonly store: (draft: Draft) => Promise<Draft>;
  /** Whether all objects could be converted once since the definition became as it is. */
  readonly hasListed: () => boolean;
  /** They could. */
  readonly noteListed: () => void;
  /** An object as another version has it, with what that does not know. Throws what tells how to ask for it where it has not been asked for: see `conversion/unconverted.ts`. */
  readonly at: (object: Readonly<Fields>, apiVersion: string) => Readonly<Fields>;
}

/** How objects of a resource look at a version, when that differs from how they are stored. */
export interface Conversion {
  /** Whether what it makes may be kept; not before its rules are loaded. */
  readonly isReady?: () => boolean;
  /** Loads those rules; undefined when there is nothing to wait for. */
  readonly load?: () => Promise<unknown> | undefined;
  readonly fromStored: (object: ApiObject) => Draft;
  readonly toStored: (draft: Draft) => Draft;
  /** Only where a webhook has to be asked: then the others throw when it has not been. */
  readonly remote?: Remote;
}

/** A resource at one served version, with where its objects are stored and how they look here. */
export interface Resource {
  readonly info: ResourceInfo;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  /** The store's name of its collection; versions and views of the same objects share it. */
  readonly collection: string;
  /** A stored object as this version shows it; the same frozen object every time. */
  readonly view: (stored: ApiObject) => ApiObject;
  /** An object of this version as it is stored. */
  readonly toStored: (draft: Draft) => Draft;
  /** Says that an object is about to be stored through this very resource, so that it need not be converted to be shown, not even to those who hear of it within the write. */
  readonly trust: (stored: Draft) => void;
  /** To be awaited before its objects are shown or written; undefined when there is nothing to wait for. */
  readonly load: () => Promise<unknown> | undefined;
  /** Only of versions that a webhook makes. */
  readonly remote?: Remote;
}

/** `namespace/name`, or `name` when there is no namespace: the store's keys. */
export const storeKeyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

/** Puts a resource's parts together; without a conversion objects are shown as they are stored. */
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
    // What was made anew is shown from then on.
    if (conversion.remote?.isLocal(stored) === false) return draft as unknown as ApiObject;
    const made = equal(draft, stored) ? stored : (freeze(draft) as unknown as ApiObject);
    if (conversion.isReady?.() ?? true) views.set(stored, made);
    return made;
  };
  // Drafts are stored as they are, frozen.
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
    ...(conversion.remote !== undefined && { remote: conversion.remote }),
  };
}

/** Everything that is served, by group, version and plural. Changes as definitions come and go. */
export class Registry {
  readonly #versions = new Map<string, Map<string, Resource>>();
  readonly #derived = new Map<string, unknown>();
  #revision = 0;

  /** Rises with every change: what discovery's hashes are made of. */
  get revision(): number {
    return this.#revision;
  }

  /** What is made of everything that is served: made once for each state of it. `name` tells one thing from others. */
  derived<T>(name: string, make: () => T): T {
    if (!this.#derived.has(name)) this.#derived.set(name, make());
    return this.#derived.get(name) as T;
  }

  #change(): void {
    this.#revision += 1;
    this.#derived.clear();
  }

  /** Starts to serve a resource, in place of an earlier one of the same group, version and plural. */
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

  /** The resource of a path, or undefined. */
  find(apiVersion: string, plural: string): Resource | undefined {
    return this.#versions.get(apiVersion)?.get(plural);
  }

  /** The resource of a kind, or undefined. */
  ofKind({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Resource | undefined {
    for (const resource of this.#versions.get(apiVersion)?.values() ?? []) {
      if (resource.info.kind === kind) return resource;
    }
    return undefined;
  }

  /** Whether anything is served under a group and version. */
  serves(apiVersion: string): boolean {
    return this.#versions.has(apiVersion);
  }

  /** All resources, in the order they were added. */
  all(): readonly Resource[] {
    return [...this.#versions.values()].flatMap((resources) => [...resources.values()]);
  }

  /** One resource per collection: what a controller that looks at everything goes through. */
  collections(): readonly Resource[] {
    const first = new Map<string, Resource>();
    for (const resource of this.all()) if (!first.has(resource.collection)) first.set(resource.collection, resource);
    return [...first.values()];
  }
}
