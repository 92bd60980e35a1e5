/** Prevents privilege escalation by roles and role bindings. */

import { type ApiObject, type Draft, equal, type Fields, isFields } from '../apimachinery/object.ts';
import { forbidden, notFound } from '../apimachinery/status.ts';
import type { Authorizer, PolicyRule, RoleRef, RoleWrite } from '../server/authorizer.ts';
import type { Store } from '../storage/store.ts';
import { missingRights } from './policy-rules.ts';
import { mastersGroup, rulesOfRole } from './roles.ts';

type RuleResolver = Pick<Authorizer, 'decide' | 'rulesFor'>;

const group = 'rbac.authorization.k8s.io';
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Verb that permits granting rights the writer does not have, by resource. */
const overrides: Readonly<Record<string, string>> = {
  roles: 'escalate',
  clusterroles: 'escalate',
  rolebindings: 'bind',
  clusterrolebindings: 'bind',
};

const rulesIn = ({ rules }: Draft): readonly PolicyRule[] => (Array.isArray(rules) ? (rules as PolicyRule[]) : []);

/** Returns the rules that a write would grant. Throws the server's 404 when a binding names a missing role. */
function grantedRules(store: Store, { resource: { info }, draft }: RoleWrite): readonly PolicyRule[] {
  if (overrides[info.plural] === 'escalate') return rulesIn(draft);
  const role = draft.roleRef as RoleRef;
  const rules = rulesOfRole(store, role, draft.metadata.namespace ?? '');
  if (rules === undefined) throw notFound(info, role.name);
  return rules;
}

function mayEscalateOrBind({ decide }: RuleResolver, { user, resource: { info }, draft, named }: RoleWrite): boolean {
  const verb = overrides[info.plural]!;
  const role = draft.roleRef as RoleRef | undefined;
  const target = role === undefined ? info.plural : role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  const { namespace } = draft.metadata;
  const asked = { verb, group, resource: target, name: role?.name ?? named ?? '' };
  return decide(user, namespace === undefined ? asked : { ...asked, namespace }).allowed;
}

/** Metadata that the garbage collector may change without a check. */
const uncheckedMetadata = ['ownerReferences', 'finalizers', 'managedFields', 'selfLink', 'resourceVersion'];

function withoutUncheckedMetadata({ metadata, ...rest }: Draft | ApiObject): Fields {
  const counted = Object.entries(metadata).filter(([name]) => !uncheckedMetadata.includes(name));
  return { ...rest, metadata: Object.fromEntries(counted) };
}

const isGarbageCollectorUpdate = ({ draft, current }: RoleWrite): boolean =>
  current !== undefined && equal(withoutUncheckedMetadata(draft), withoutUncheckedMetadata(current));

const aggregates = ({ aggregationRule }: Draft | ApiObject): boolean =>
  isFields(aggregationRule) &&
  Array.isArray(aggregationRule.clusterRoleSelectors) &&
  aggregationRule.clusterRoleSelectors.length > 0;

/** Reports whether a write may grant anything: a superuser's, one permitted by `escalate` or `bind`, or one that changes no rights. */
const isExempt = (authorizer: RuleResolver, write: RoleWrite): boolean =>
  write.user.groups.includes(mastersGroup) || mayEscalateOrBind(authorizer, write) || isGarbageCollectorUpdate(write);

function refusal(user: RoleWrite['user'], missing: readonly string[], errors: readonly string[]): string {
  const groups = user.groups.map((one) => JSON.stringify(one)).join(' ');
  const who = `user ${JSON.stringify(user.name)} (groups=[${groups}])`;
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${errors.join(', ')}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}${unresolved}`;
}

/** Prevents privilege escalation. Throws the server's 403 for rights that the writer lacks, and a 404 when a binding names a missing role. */
export function checkEscalation(authorizer: RuleResolver, store: Store, write: RoleWrite): void {
  const { user, resource, draft, current } = write;
  const { info } = resource;
  if (info.group !== group || isExempt(authorizer, write)) return;
  const { name = '', namespace = '' } = draft.metadata;
  const { rules, missing: unknown } = authorizer.rulesFor(user, namespace);
  const missing = missingRights(rules, grantedRules(store, write));
  if (missing.length > 0) {
    const errors = unknown.map((role) => notFound(info, role.name).message);
    throw forbidden(info, name, { why: refusal(user, missing, errors) });
  }
  const collects = aggregates(draft) || (current !== undefined && aggregates(current));
  if (collects && missingRights(rules, everything).length > 0) {
    throw forbidden(info, name, { why: 'must have cluster-admin privileges to use the aggregationRule' });
  }
}
