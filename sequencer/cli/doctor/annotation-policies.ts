/** Check of the admission policies about the annotations of workspaces. */

import { type Client, type Kind, type KubeObject, messageOf, NotFoundError, Workspace } from '../../../sdk/index.ts';
import { accountName, type OperatorInstance } from '../../run/operator-instance.ts';
import { exempts, ofClass } from '../manifests/annotation-policy.ts';
import type { Finding } from './finding.ts';

/** Operator whose annotations are protected. */
export interface PolicyCheckTarget extends OperatorInstance {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly namespace: string | undefined;
  readonly operatorNamespace: string;
  readonly isOperator: boolean;
}

interface AdmissionPolicy extends KubeObject {
  readonly spec: {
    readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
    readonly matchConstraints?: {
      readonly namespaceSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
      readonly resourceRules?: readonly {
        readonly apiGroups?: readonly string[];
        readonly resources?: readonly string[];
      }[];
    };
  };
}

interface AdmissionPolicyBinding extends KubeObject {
  readonly spec: { readonly policyName?: string; readonly validationActions?: readonly string[] };
}

const kind = <T extends KubeObject>(name: string, plural: string): Kind<T> => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: name,
  plural,
  namespaced: false,
});
const PolicyKind = kind<AdmissionPolicy>('ValidatingAdmissionPolicy', 'validatingadmissionpolicies');
const BindingKind = kind<AdmissionPolicyBinding>(
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
);

const check = 'policy';
const reinstallHint = 'sequencer manifests | kubectl apply -f -, with the options that it was installed by';

/** Reports whether a policy is one that `sequencer manifests` prints for workspaces of this class and namespace. */
function concerns({ spec }: AdmissionPolicy, { className, namespace }: PolicyCheckTarget): boolean {
  const { resourceRules = [], namespaceSelector } = spec.matchConstraints ?? {};
  const selected = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  const expressions = spec.matchConditions?.map(({ expression }) => expression) ?? [];
  return (
    resourceRules.some(
      ({ apiGroups, resources }) => apiGroups?.includes(Workspace.group) && resources?.includes(Workspace.plural),
    ) &&
    expressions.includes(ofClass(className)) &&
    (namespace === undefined || selected === undefined || selected === namespace)
  );
}

/** Returns the policies about the operator's workspaces that a binding enforces. */
async function enforcedPolicies(target: PolicyCheckTarget): Promise<readonly AdmissionPolicy[]> {
  const { client, signal } = target;
  const [policies, bindings] = await Promise.all([
    client.list(PolicyKind, { signal }),
    client.list(BindingKind, { signal }),
  ]);
  const enforced = new Set(
    bindings.items.filter(({ spec }) => spec.validationActions?.includes('Deny')).map(({ spec }) => spec.policyName),
  );
  return policies.items.filter((policy) => enforced.has(policy.metadata.name) && concerns(policy, target));
}

/** Returns the findings about the policies that let an operator, and no other user, write the annotations of its workspaces. */
export async function policyFindings(target: PolicyCheckTarget): Promise<readonly Finding[]> {
  if (target.isOperator) return [];
  const operator = `system:serviceaccount:${target.operatorNamespace}:${accountName(target)}`;
  try {
    const policies = await enforcedPolicies(target);
    const permits = ({ spec }: AdmissionPolicy): boolean =>
      spec.matchConditions?.some(({ expression }) => expression === exempts(operator)) ?? false;
    const others = policies.filter((policy) => !permits(policy));
    if (others.length > 0)
      return others.map(({ metadata: { name } }) => ({
        check,
        status: 'problem',
        detail: `${name} is for another operator: it refuses the annotations that ${operator} writes`,
        next: `unless that operator still runs: kubectl delete validatingadmissionpolicy,validatingadmissionpolicybinding ${name}; then ${reinstallHint}`,
      }));
    const [own] = policies;
    if (own !== undefined)
      return [{ check, status: 'ok', detail: `${own.metadata.name}, which lets only ${operator} write annotations` }];
    const detail = `there is none for ${operator}: all who may write workspaces may write its annotations`;
    return [{ check, status: 'problem', detail, next: reinstallHint }];
  } catch (error) {
    const detail = error instanceof NotFoundError ? 'Kubernetes before 1.30 serves none' : messageOf(error);
    return [{ check, status: 'unknown', detail }];
  }
}
