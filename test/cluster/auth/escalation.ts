import type { Authorizer, PolicyRule, RoleWrite } from '../machinery.ts';
import { type Draft, equal } from '../objects/object.ts';
import { forbidden, notFound } from '../status.ts';
import type { Store } from '../store.ts';
import { missingRights } from './policy-rules.ts';
import { type RoleRef, rulesOfRole, superusers } from './roles.ts';

type Granting = Pick<Authorizer, 'decide' | 'rulesFor'>;

const group = 'rbac.authorization.k8s.io';
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** The verb that lets somebody give away rights that are not his. */
const overrides: Readonly<Record<string, string>> = {
  roles: 'escalate',
  clusterroles: 'escalate',
  rolebindings: 'bind',
  clusterrolebindings: 'bind',
};

const rulesIn = ({ rules }: Draft): readonly PolicyRule[] => (Array.isArray(rules) ? (rules as PolicyRule[]) : []);

/** The rules that a write would give away. Throws the server's 404 when a binding points to no role. */
function givenAway(store: Store, { resource: { info }, draft }: RoleWrite): readonly PolicyRule[] {
  if (overrides[info.plural] === 'escalate') return rulesIn(draft);
  const role = draft.roleRef as RoleRef;
  const rules = rulesOfRole(store, role, draft.metadata.namespace ?? '');
  if (rules === undefined) throw notFound(info, role.name);
  return rules;
}

function mayOverride({ decide }: Granting, { user, resource: { info }, draft }: RoleWrite): boolean {
  const verb = overrides[info.plural]!;
  const role = draft.roleRef as RoleRef | undefined;
  const target = role === undefined ? info.plural : role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  const { namespace, name } = draft.metadata;
  const asked = { verb, group, resource: target, name: role?.name ?? name ?? '' };
  return decide(user, namespace === undefined ? asked : { ...asked, namespace }).allowed;
}

const isUnchanged = ({ draft, current }: RoleWrite): boolean =>
  current !== undefined &&
  equal(draft.rules ?? [], current.rules ?? []) &&
  equal(draft.roleRef, current.roleRef) &&
  equal(draft.subjects ?? [], current.subjects ?? []) &&
  equal(draft.aggregationRule, current.aggregationRule);

/** Nobody gives away rights that he does not have. Throws the server's 403, and a 404 when a binding points to no role. */
export function refuseEscalation(authorizer: Granting, store: Store, write: RoleWrite): void {
  const { user, resource, draft } = write;
  const { info } = resource;
  if (info.group !== group) return;
  if (user.groups.includes(superusers) || isUnchanged(write) || mayOverride(authorizer, write)) return;
  const { name = '', namespace = '' } = draft.metadata;
  const { rules, errors } = authorizer.rulesFor(user, namespace);
  if (draft.aggregationRule !== undefined && missingRights(rules, everything).length > 0) {
    throw forbidden(info, name, { why: 'must have cluster-admin privileges to use the aggregationRule' });
  }
  const missing = missingRights(rules, givenAway(store, write));
  if (missing.length === 0) return;
  const groups = user.groups.map((one) => JSON.stringify(one)).join(' ');
  const who = `user ${JSON.stringify(user.name)} (groups=[${groups}])`;
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${errors.join(', ')}]`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}${unresolved}`;
  throw forbidden(info, name, { why });
}
