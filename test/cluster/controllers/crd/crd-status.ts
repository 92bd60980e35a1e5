/** Status of CustomResourceDefinitions: accepted names, Established and the approval condition. */

import { X509Certificate } from 'node:crypto';
import { type ApiObject, type Fields, isFields } from '../../apimachinery/object.ts';
import { type DefinitionNames, definitionSpecOf } from '../../crd/definition.ts';
import { approvalOf } from '../../crd/definition-approval.ts';
import { conditionOf, transitionTime } from '../conditions.ts';
import type { Condition } from '../pods/pod.ts';

/** Status of a definition; any part may be missing. */
interface DefinitionStatus {
  readonly conditions?: readonly Condition[];
  readonly acceptedNames?: Partial<DefinitionNames>;
  readonly storedVersions?: readonly string[];
}

const statusOf = ({ status }: ApiObject): DefinitionStatus => (isFields(status) ? (status as DefinitionStatus) : {});

const isTrue = (crd: ApiObject, type: string): boolean =>
  statusOf(crd).conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Reports whether a definition is established, so that its resources are served. */
export const isEstablished = (crd: ApiObject): boolean => isTrue(crd, 'Established');

/** Returns the names that other definitions of the group have been given: those of resources, and those of kinds. */
function takenNames(others: readonly ApiObject[]): {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
} {
  const accepted = others.map((crd) => statusOf(crd).acceptedNames ?? {});
  return {
    resources: new Set(
      accepted.flatMap(({ plural = '', singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
    ),
    kinds: new Set(accepted.flatMap(({ kind = '', listKind = '' }) => [kind, listKind])),
  };
}

/** One name to check for conflicts. */
interface Trial {
  readonly name: keyof DefinitionNames;
  readonly wanted: readonly string[];
  readonly taken: ReadonlySet<string>;
  readonly reason: string;
}

interface Verdict {
  readonly names: Fields;
  /** Last conflict found, which the condition reports. */
  readonly conflict?: { readonly reason: string; readonly message: string };
}

/** Accepts each name that no other definition has; a refused name keeps its last accepted value. */
function checkNames(crd: ApiObject, others: readonly ApiObject[]): Verdict {
  const { names } = definitionSpecOf(crd as unknown as Fields);
  const before = statusOf(crd).acceptedNames ?? {};
  const { resources, kinds } = takenNames(others);
  const accepted: Fields = { plural: '', kind: '' };
  let conflict: Verdict['conflict'];
  const { plural, singular = names.kind.toLowerCase(), shortNames = [], kind, listKind = `${kind}List` } = names;
  const trials: readonly Trial[] = [
    { name: 'plural', wanted: [plural], taken: resources, reason: 'PluralConflict' },
    { name: 'singular', wanted: [singular], taken: resources, reason: 'SingularConflict' },
    { name: 'shortNames', wanted: shortNames, taken: resources, reason: 'ShortNamesConflict' },
    { name: 'kind', wanted: [kind], taken: kinds, reason: 'KindConflict' },
    { name: 'listKind', wanted: [listKind], taken: kinds, reason: 'ListKindConflict' },
  ];
  for (const { name, wanted, taken, reason } of trials) {
    const clash = wanted.find((one) => taken.has(one));
    const value = clash === undefined ? names[name] : before[name];
    if (clash !== undefined) conflict = { reason, message: `${JSON.stringify(clash)} is already in use` };
    if (value !== undefined) accepted[name] = value;
  }
  if (names.categories !== undefined) accepted.categories = names.categories;
  return conflict === undefined ? { names: { ...names } } : { names: accepted, conflict };
}

const acceptedCondition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};
const establishedCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const refusedCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

const badBundleCondition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
};

/** Reports whether the CA bundle of a conversion webhook, if any, can be parsed. */
function isTrustReadable(crd: ApiObject): boolean {
  const { clientConfig } = definitionSpecOf(crd as unknown as Fields).conversion?.webhook ?? {};
  const { caBundle } = isFields(clientConfig) ? clientConfig : {};
  if (typeof caBundle !== 'string' || caBundle === '') return true;
  const found = Buffer.from(caBundle, 'base64').toString().match(certificate) ?? [];
  return found.length > 0 && found.every(isCertificate);
}

const approvalType = 'KubernetesAPIApprovalPolicyConformant';

/** Returns the approval condition of a definition in a protected group (`*.k8s.io`), if any. */
function approvalCondition(crd: ApiObject): readonly Condition[] {
  const { group = '' } = definitionSpecOf(crd as unknown as Fields);
  const approval = approvalOf(group, crd.metadata.annotations ?? {});
  if (approval === undefined) return [];
  const { status, reason, message } = approval;
  return [{ type: approvalType, status, reason, message }];
}

const ownTypes: readonly string[] = ['NamesAccepted', 'Established', approvalType];

/** Computes the status of a definition, given the others of its group: accepted names, stored versions and conditions. */
export function crdStatus(crd: ApiObject, others: readonly ApiObject[], now: number): Fields {
  const { names, conflict } = checkNames(crd, others);
  const known = statusOf(crd).conditions ?? [];
  const condition = (wanted: Condition): Condition => ({
    ...wanted,
    lastTransitionTime: transitionTime(conditionOf(known, wanted.type), wanted.status, now),
  });
  const before = conditionOf(known, 'Established');
  const unrelated = known.filter(({ type }) => !ownTypes.includes(type));
  const namesAccepted =
    conflict === undefined ? acceptedCondition : { type: 'NamesAccepted', status: 'False', ...conflict };
  const accepted = before?.status === 'True' || isTrustReadable(crd) ? establishedCondition : badBundleCondition;
  const established = conflict === undefined ? accepted : refusedCondition;
  return {
    conditions: [
      condition(namesAccepted),
      conflict !== undefined && before?.status === 'True' ? before : condition(established),
      ...approvalCondition(crd).map(condition),
      ...unrelated,
    ],
    acceptedNames: names,
    storedVersions: statusOf(crd).storedVersions ?? [],
  };
}
