/** Builds AdmissionReviews. */

import { uuidFrom } from '../apimachinery/generated-metadata.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { Resource } from '../resources/registry.ts';
import type { AdmissionOptions, Change } from '../server/admission.ts';
import type { Target } from './matching.ts';

/** Response of a webhook. */
export interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  /** JSON patch in base64. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/** Review that a webhook receives, in the form of `admission.k8s.io/v1`. */
export interface AdmissionReview {
  readonly kind: 'AdmissionReview';
  readonly apiVersion: string;
  readonly request: Fields & { readonly uid: string };
}

const optionKinds: Partial<Record<Target['operation'], string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};

const kindOf = ({ info: { group, version, kind } }: Resource): Fields => ({ group, version, kind });
const resourceOf = ({ info: { group, version, plural } }: Resource): Fields => ({ group, version, resource: plural });

/** Converts an object to a resource's version; without a conversion webhook only apiVersion differs. */
function at({ apiVersion, conversionWebhook }: Resource, object: Fields | undefined): Fields | null {
  if (object === undefined) return null;
  return conversionWebhook === undefined ? { ...object, apiVersion } : { ...conversionWebhook.at(object, apiVersion) };
}

const userInfoOf = ({ name, uid, groups, extra }: AdmissionOptions['user']): Fields => ({
  username: name,
  ...(uid !== undefined && { uid }),
  groups,
  ...(extra !== undefined && { extra }),
});

/** Returns the options of a write; null for operations without any. */
function optionsOf(operation: Target['operation'], { fieldManager, dryRun, options }: AdmissionOptions): Fields | null {
  const kind = optionKinds[operation];
  if (kind === undefined) return null;
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(fieldManager !== '' && { fieldManager }),
    ...(dryRun && { dryRun: ['All'] }),
    ...options,
  };
}

/** Builds the request of a review, for webhooks and expressions; `matched` is the resource version that the webhook matched. */
export function requestOf(
  target: Target,
  matched: Resource,
  { change, options }: ReviewedWrite,
): AdmissionReview['request'] {
  const { operation, resource, subresource, name, namespace, kind } = target;
  const { user, dryRun, random } = options;
  const shown = (object: Fields | undefined) => (kind === undefined ? at(matched, object) : (object ?? null));
  const sub = subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource };
  return {
    uid: uuidFrom(random),
    kind: kind ?? kindOf(matched),
    resource: resourceOf(matched),
    requestKind: kind ?? kindOf(resource),
    requestResource: resourceOf(resource),
    ...sub,
    ...(name !== '' && { name }),
    ...(namespace !== undefined && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    object: shown(change.object),
    oldObject: shown(change.oldObject),
    dryRun,
    options: optionsOf(operation, options),
  };
}

/** Write under review. */
export interface ReviewedWrite {
  readonly change: Change;
  readonly options: AdmissionOptions;
}
