/** Authorization: requests, rules and the interface that decides. */

import type { ApiObject, Draft } from '../apimachinery/object.ts';
import type { User } from '../requests/message.ts';
import type { Resource } from '../resources/registry.ts';

/** Decision of an authorizer. */
export interface Decision {
  readonly allowed: boolean;
  /** Explanation; may be empty. */
  readonly reason: string;
}

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Reference from a binding to a Role or ClusterRole. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** Request to authorize: a verb on a resource, or on a non-resource path. */
export type Action =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly namespace?: string;
      readonly name?: string;
    }
  | { readonly verb: string; readonly path: string };

/** Write of a Role or binding, to check for privilege escalation. */
export interface RoleWrite {
  readonly user: User;
  readonly resource: Resource;
  readonly draft: Draft;
  /** Name in the request's path. */
  readonly named: string | undefined;
  /** Object that is replaced; undefined for a create. */
  readonly current?: ApiObject;
}

/** Authorizes requests. */
export interface Authorizer {
  /** True when every request is allowed, so that `decide` need not be called. */
  readonly isOpen: boolean;
  decide(user: User, action: Action): Decision;
  /** Throws the server's 403 when a Role or binding would grant rights that its writer does not have. */
  checkGrant(write: RoleWrite): void;
  /** Returns all rules of a user in a namespace (empty: cluster-wide), and the roles that bindings name but do not exist. */
  rulesFor(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly missing: readonly RoleRef[] };
}
