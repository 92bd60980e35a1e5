import type { User } from '../http/message.ts';
import { uuidFrom } from '../machinery.ts';
import type { Fields } from '../objects/object.ts';
import type { Resource } from '../registry.ts';
import type { Change, Target } from './matching.ts';

/** Who writes, and how. */
export interface Asked {
  readonly user: User;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  /** Options of the request, as it has them. */
  readonly options?: Fields;
  readonly random: () => number;
}

/** What a webhook answers. */
export interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  /** A JSON patch in base64. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/** What is sent to a webhook: `request` is as Kubernetes documents it for `admission.k8s.io/v1`. */
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

/** The object as a version of its resource has it; unless a webhook converts it, versions differ in no more than their name. */
function at({ apiVersion, remote }: Resource, object: Fields | undefined): Fields | null {
  if (object === undefined) return null;
  return remote === undefined ? { ...object, apiVersion } : { ...remote.at(object, apiVersion) };
}

/** The request of a review, as webhooks get it and expressions see it; `seen` is the version that the webhook speaks of. */
export function requestOf(target: Target, seen: Resource, { change, asked }: Reviewed): AdmissionReview['request'] {
  const { operation, resource, subresource, name, namespace, kind } = target;
  const { user, dryRun, fieldManager, random } = asked;
  const shown = (object: Fields | undefined) => (kind === undefined ? at(seen, object) : (object ?? null));
  const sub = subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource };
  return {
    uid: uuidFrom(random),
    kind: kind ?? kindOf(seen),
    resource: resourceOf(seen),
    requestKind: kind ?? kindOf(resource),
    requestResource: resourceOf(resource),
    ...sub,
    ...(name !== '' && { name }),
    ...(namespace !== undefined && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid !== undefined && { uid: user.uid }),
      groups: user.groups,
      ...(user.extra !== undefined && { extra: user.extra }),
    },
    object: shown(change.object),
    oldObject: shown(change.oldObject),
    dryRun,
    options:
      optionKinds[operation] === undefined
        ? null
        : {
            kind: optionKinds[operation],
            apiVersion: 'meta.k8s.io/v1',
            ...(fieldManager !== '' && { fieldManager }),
            ...(dryRun && { dryRun: ['All'] }),
            ...asked.options,
          },
  };
}

/** A write under review. */
export interface Reviewed {
  readonly change: Change;
  readonly asked: Asked;
}
