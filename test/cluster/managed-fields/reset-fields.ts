import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { type FieldSet, leaf, setOfPaths } from './field-set.ts';

const status = setOfPaths([['f:status']]);
const spec = setOfPaths([['f:spec']]);
const specAndMetadata = setOfPaths([['f:spec'], ['f:metadata']]);

/** Kinds whose `/status` writes ignore fields other than the spec. */
const ofStatus: Readonly<Record<string, FieldSet>> = {
  '/pods': setOfPaths([['f:spec'], ['f:metadata', 'f:deletionTimestamp'], ['f:metadata', 'f:ownerReferences']]),
  'apps/deployments': setOfPaths([['f:spec'], ['f:metadata', 'f:labels']]),
  'certificates.k8s.io/certificatesigningrequests': setOfPaths([['f:spec'], ['f:status', 'f:conditions']]),
  'storage.k8s.io/volumeattachments': specAndMetadata,
  'admissionregistration.k8s.io/validatingadmissionpolicies': specAndMetadata,
  'flowcontrol.apiserver.k8s.io/flowschemas': specAndMetadata,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': specAndMetadata,
};

const signingRequests = 'certificates.k8s.io/certificatesigningrequests';

/** Returns the fields that a write cannot change or own (the strategy's reset fields). */
export function ignoredBy(
  info: Pick<ResourceInfo, 'group' | 'plural' | 'hasStatus'>,
  subresource: string | undefined,
): FieldSet {
  const collection = `${info.group}/${info.plural}`;
  if (subresource === 'status') return ofStatus[collection] ?? spec;
  if (subresource !== undefined) return subresource === 'finalize' ? status : leaf;
  if (collection === signingRequests) return setOfPaths([['f:spec'], ['f:status']]);
  return info.hasStatus ? status : leaf;
}
