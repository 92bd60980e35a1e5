/** Parts that every verb and controller shares, with their interfaces, and names and times of metadata. */

import type { Clock } from '../../sdk/clock.ts';
import type { Admitted, Reviewers } from './admission/create-admission.ts';
import type { Authority } from './http/certificate.ts';
import type { User } from './http/message.ts';
import type { Messages } from './http/protobuf-messages.ts';
import type { ApiObject, Draft } from './objects/object.ts';
import type { Profile } from './profiles.ts';
import type { Registry, Resource } from './registry.ts';
import type { Scheme } from './scheme.ts';
import type { Store } from './store.ts';

/** Shared parts of one cluster's API server. */
export interface ServerContext {
  readonly store: Store;
  readonly registry: Registry;
  readonly scheme: Scheme;
  readonly clock: Clock;
  /** Random source in [0, 1); seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** Returns the JSON text of a frozen value, cached. */
  readonly jsonOf: (value: object) => string;
  /** Request counts by the labels of `/metrics`. */
  readonly requests: () => ReadonlyMap<string, number>;
  /** Protobuf encoder; loaded on first use. */
  readonly messages: () => Promise<Messages>;
  /** IPs and ports of Services. */
  readonly addresses: Addresses;
  /** Interval between bookmarks, in ms. */
  readonly bookmarkInterval: number;
  /** Certificate authority of the server; created on first use. */
  readonly authority: () => Authority;
  /** Decides which requests are allowed. */
  readonly authorizer: Authorizer;
  readonly tokens: Tokens;
  /** Registered webhooks and policies; loaded on first use. */
  readonly admission: () => Promise<(admitted: Admitted) => Reviewers>;
  /** Converter that calls a definition's conversion webhook; loaded on first use. */
  readonly converterOf: (definition: ApiObject) => Promise<Convert>;
  /** Log text of a container. */
  readonly logOf: (pod: ApiObject, container: string) => string;
  /** Capabilities of the emulated version. */
  readonly profile: Profile;
  /** Version that `/version` reports, such as `v1.34.1`. */
  readonly version: string;
}

/** Converts an object to another version. Rejects with the server's 500. */
export type Convert = (object: Draft, apiVersion: string) => Promise<Draft>;

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

/** Claims of a service account token. */
export interface TokenClaims {
  readonly aud: readonly string[];
  /** Expiry in seconds since the epoch. */
  readonly exp: number;
  /** Id of the token. */
  readonly jti: string;
  readonly namespace: string;
  readonly name: string;
  /** UID of the service account. */
  readonly uid: string;
  /** Object that the token is bound to; it is valid while that object exists. */
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** Node of the pod that the token is bound to. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** User and audiences of a valid token, or the server's reason why it is invalid. */
export type TokenVerdict = { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };

/** Issues and verifies bearer tokens. */
export interface Tokens {
  /** Issuer of service account tokens, and their default audience. */
  readonly issuer: string;
  /** Returns the user of a token valid for the API server; undefined for any other token. */
  userOf(token: string): User | undefined | Promise<User | undefined>;
  /** Verifies a token for any of these audiences. @default the API server */
  review(token: string, audiences?: readonly string[]): Promise<TokenVerdict>;
  /** Issues a token for a service account. */
  issue(claims: TokenClaims): Promise<string>;
  /** Public key of the issued tokens, as a JSON Web Key. */
  publicKey(): Promise<object>;
}

/** Allocates IPs and ports for Services, each to one holder at a time. */
export interface Addresses {
  /** Range of the IPs, such as `10.96.0.0/16`. */
  readonly range: string;
  /** First IP of the range, the API server's own. */
  readonly own: string;
  /** Allocates an IP, or the wanted one; undefined when that one is taken or outside the range. */
  takeIp(wanted?: string): string | undefined;
  /** Reports whether an IP is in the range. */
  isOurs(ip: string): boolean;
  takePort(wanted?: number): number | undefined;
  /** Releases the IPs and ports of a Service. */
  release(held: { readonly ips: readonly string[]; readonly ports: readonly number[] }): void;
}

/** Formats a time in RFC 3339 with seconds, as in metadata. */
export const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const hex = '0123456789abcdef';

/** Returns a version 4 UUID from a random source. */
export function uuidFrom(random: () => number): string {
  let text = '';
  for (let index = 0; index < 36; index += 1) {
    if (index === 8 || index === 13 || index === 18 || index === 23) text += '-';
    else if (index === 14) text += '4';
    else text += hex[index === 19 ? 8 + Math.floor(random() * 4) : Math.floor(random() * 16)];
  }
  return text;
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns a name for `metadata.generateName`: the base cut to 58 characters and a random suffix of five, 63 at most. */
export function generatedName(base: string, random: () => number): string {
  let suffix = '';
  for (let index = 0; index < 5; index += 1) suffix += suffixLetters[Math.floor(random() * suffixLetters.length)];
  return base.slice(0, 58) + suffix;
}
