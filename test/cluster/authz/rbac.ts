/** RBAC authorizer. */

import type { ApiObject } from '../apimachinery/object.ts';
import type { User } from '../requests/message.ts';
import type { Action, Authorizer, Decision, PolicyRule, RoleRef } from '../server/authorizer.ts';
import type { Store } from '../storage/store.ts';
import { checkEscalation } from './escalation-check.ts';
import { allows } from './policy-rules.ts';
import { mastersGroup, rulesOfRole } from './roles.ts';

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const group = 'rbac.authorization.k8s.io';

const subjectsOf = ({ subjects }: ApiObject): readonly Subject[] => (Array.isArray(subjects) ? subjects : []);

function appliesTo({ name, groups }: User, subject: Subject, namespace: string): boolean {
  if (subject.kind === 'User') return subject.name === name;
  if (subject.kind === 'Group') return groups.includes(subject.name);
  return name === `system:serviceaccount:${subject.namespace || namespace}:${subject.name}`;
}

/** Binding that applies to a user, with the server's explanation. */
interface ApplicableBinding {
  readonly binding: ApiObject;
  readonly because: string;
}

function* bindingsOf(user: User, bindings: readonly ApiObject[]): Generator<ApplicableBinding> {
  for (const binding of bindings) {
    const { name, namespace = '' } = binding.metadata;
    const subject = subjectsOf(binding).find((one) => appliesTo(user, one, namespace));
    if (subject === undefined) continue;
    const role = binding.roleRef as RoleRef;
    const shown =
      subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
    const which = namespace === '' ? name : `${name}/${namespace}`;
    yield {
      binding,
      because: `RBAC: allowed by ${binding.kind} ${JSON.stringify(which)} of ${role.kind} ${JSON.stringify(role.name)} to ${subject.kind} ${JSON.stringify(shown)}`,
    };
  }
}

const aggregate = (errors: readonly string[]): string => (errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`);

/** Returns the server's message for a missing role. */
export const missingRoleMessage = ({ kind, name }: RoleRef): string =>
  `${kind.toLowerCase()}.${group} ${JSON.stringify(name)} not found`;

/** Creates an authorizer that reads Roles and bindings from the store on each decision. */
export function createRbacAuthorizer(store: Store): Authorizer {
  const bindingsFor = (namespace: string): readonly ApiObject[] => [
    ...store.page(`${group}/clusterrolebindings`, { prefix: '' }).objects,
    ...(namespace === '' ? [] : store.page(`${group}/rolebindings`, { prefix: `${namespace}/` }).objects),
  ];
  const rulesOf = ({ binding }: ApplicableBinding): readonly PolicyRule[] | undefined =>
    rulesOfRole(store, binding.roleRef as RoleRef, binding.metadata.namespace ?? '');

  const decide = (user: User, action: Action): Decision => {
    if (user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
    const namespace = 'path' in action ? '' : (action.namespace ?? '');
    const errors: string[] = [];
    for (const held of bindingsOf(user, bindingsFor(namespace))) {
      const rules = rulesOf(held);
      if (rules === undefined) errors.push(missingRoleMessage(held.binding.roleRef as RoleRef));
      else if (rules.some((rule) => allows(rule, action))) return { allowed: true, reason: held.because };
    }
    return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregate(errors)}` };
  };

  const rulesFor: Authorizer['rulesFor'] = (user, namespace) => {
    const held = [...bindingsOf(user, bindingsFor(namespace))];
    return {
      rules: held.flatMap((one) => rulesOf(one) ?? []),
      missing: held.filter((one) => rulesOf(one) === undefined).map(({ binding }) => binding.roleRef as RoleRef),
    };
  };

  const checkGrant: Authorizer['checkGrant'] = (write) => checkEscalation({ decide, rulesFor }, store, write);
  return { isOpen: false, decide, rulesFor, checkGrant };
}
