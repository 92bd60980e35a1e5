/** Conversion between the versions of a custom resource. */

import { type ApiObject, type Draft, draftOf, type Fields, freeze } from '../../apimachinery/object.ts';
import type { ResourceInfo } from '../../apimachinery/resource-info.ts';
import { unexpected } from '../../apimachinery/status.ts';
import type { CachedConversion, Conversion } from '../../resources/registry.ts';
import type { Convert, ServerContext } from '../../server/server-context.ts';
import { Unconverted } from './suspend-for-conversion.ts';

/** Version of a definition, among its others. */
export interface VersionedResource {
  readonly info: ResourceInfo;
  /** Storage version. */
  readonly storage: ResourceInfo;
  /** All versions, including those not served. */
  readonly versions: readonly ResourceInfo[];
  /** Names of the versions in `status.storedVersions`. */
  readonly stored: readonly string[];
}

type Rules = ServerContext['scheme'];

const apiVersionOf = ({ group, version }: ResourceInfo): string => `${group}/${version}`;

/** Returns the version of an object. Throws the server's 500 when the definition no longer has it. */
function versionOf({ versions }: VersionedResource, { apiVersion }: ApiObject | Draft): ResourceInfo {
  const found = versions.find((one) => apiVersionOf(one) === apiVersion);
  if (found !== undefined) return found;
  throw unexpected(`request to convert CR from an invalid group/version: ${apiVersion}`);
}

/** Drops fields that a version does not know. */
function pruneForVersion(scheme: Rules, info: ResourceInfo, draft: Draft): Draft {
  const known = scheme.loaded(info);
  const made = { ...draft, apiVersion: apiVersionOf(info) };
  return known === undefined ? made : ({ ...known.decode(made).object, metadata: draft.metadata } as Draft);
}

/** Returns a stored object as decoded at its own version, with that version's defaults. */
function decodedAtVersion(scheme: Rules, info: ResourceInfo, object: ApiObject): Draft {
  const known = scheme.loaded(info);
  const draft = draftOf(object);
  if (known === undefined) return draft;
  return { ...known.defaults(known.decode(draft).object), metadata: draft.metadata } as Draft;
}

/** Returns `isReady` and `load` for the rules that a conversion needs. */
function loadingOf(
  scheme: Rules,
  { info, storage, versions, stored }: VersionedResource,
): Pick<Conversion, 'isReady' | 'load'> {
  const others = versions.filter(({ version }) => stored.includes(version));
  const needed = [...new Set([info, storage, ...others])];
  const isReady = () => needed.every((one) => scheme.loaded(one) !== undefined);
  return { isReady, load: () => (isReady() ? undefined : Promise.all(needed.map((one) => scheme.load(one)))) };
}

/**
 * Creates the conversion without a webhook: objects are decoded at their stored version with its defaults, and other
 * versions drop unknown fields.
 */
export function plainConversion({ scheme }: ServerContext, versioned: VersionedResource): Conversion {
  const { info, storage } = versioned;
  return {
    ...loadingOf(scheme, versioned),
    fromStored(object) {
      const from = versionOf(versioned, object);
      const draft = decodedAtVersion(scheme, from, object);
      return from === info ? draft : pruneForVersion(scheme, info, draft);
    },
    toStored: (draft) => (info === storage ? draft : pruneForVersion(scheme, storage, draft)),
  };
}

/** Maximum of cached conversions for field management. */
const maxCached = 100;

/** Creates the webhook calls of a version, with a cache of their results. */
function cachedWebhookConversion(
  { scheme, store }: ServerContext,
  versioned: VersionedResource,
  convert: Convert,
): CachedConversion {
  const { info, storage } = versioned;
  const views = new WeakMap<ApiObject, ApiObject>();
  const others = new Map<string, Fields>();
  const isLocal = (stored: ApiObject): boolean => stored.apiVersion === apiVersionOf(info);
  let hasListed = store.page(`${info.group}/${info.plural}`, { prefix: '' }).objects.every(isLocal);
  const made = async (stored: ApiObject): Promise<ApiObject> => {
    const from = versionOf(versioned, stored);
    const draft = decodedAtVersion(scheme, from, stored);
    const own = from === info ? draft : pruneForVersion(scheme, info, await convert(draft, apiVersionOf(info)));
    const shown = freeze(own) as unknown as ApiObject;
    views.set(stored, shown);
    return shown;
  };
  return {
    hasThisVersion: isLocal,
    areAllConverted: () => hasListed,
    markAllConverted: () => {
      hasListed = true;
    },
    converted: (stored) => views.get(stored),
    convert: made,
    toStorageVersion: async (draft) =>
      info === storage ? draft : pruneForVersion(scheme, storage, await convert(draft, apiVersionOf(storage))),
    at(object, apiVersion) {
      if (object.apiVersion === apiVersion) return object;
      const key = `${apiVersion} ${JSON.stringify(object)}`;
      const known = others.get(key);
      if (known !== undefined) return known;
      throw new Unconverted(apiVersion, async () => {
        if (others.size >= maxCached) others.clear();
        others.set(key, await convert(draftOf(object as unknown as Draft), apiVersion));
      });
    },
  };
}

/** Creates the conversion of a version through a webhook. */
export function webhookConversionOf(server: ServerContext, versioned: VersionedResource, convert: Convert): Conversion {
  const conversionWebhook = cachedWebhookConversion(server, versioned, convert);
  const { info, storage } = versioned;
  const refuse = (apiVersion: string, work: () => Promise<unknown>): never => {
    throw new Unconverted(apiVersion, work);
  };
  return {
    ...loadingOf(server.scheme, versioned),
    conversionWebhook,
    fromStored(object) {
      if (conversionWebhook.hasThisVersion(object)) return decodedAtVersion(server.scheme, info, object);
      const known = conversionWebhook.converted(object);
      return known === undefined
        ? refuse(apiVersionOf(info), () => conversionWebhook.convert(object))
        : (known as unknown as Draft);
    },
    toStored: (draft) =>
      info === storage ? draft : refuse(apiVersionOf(storage), () => conversionWebhook.toStorageVersion(draft)),
  };
}
