import type { Clock } from '../../sdk/clock.ts';
import type { Admitted, Reviewers } from './admission/create-admission.ts';
import type { Authority } from './http/certificate.ts';
import type { User } from './http/message.ts';
import type { Messages } from './http/protobuf-messages.ts';
import type { ApiObject, Draft } from './objects/object.ts';
import type { Profile } from './profiles.ts';
import type { Registry, Resource } from './registry.ts';
import type { RuleBook } from './rule-book.ts';
import type { Store } from './store.ts';

/** What every verb and controller works with: one per cluster. */
export interface Machinery {
  readonly store: Store;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly clock: Clock;
  /** In [0, 1); seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** The JSON of a frozen value, made once. */
  readonly jsonOf: (value: object) => string;
  /** How often there was each kind of request, by the labels that `/metrics` has for it. */
  readonly requests: () => ReadonlyMap<string, number>;
  /** Writes protobuf; loaded when first asked for. */
  readonly messages: () => Promise<Messages>;
  /** Addresses and ports given to Services. */
  readonly addresses: Addresses;
  /** ms between bookmarks. */
  readonly bookmarkInterval: number;
  /** Who vouches for its server; made when first asked for. */
  readonly authority: () => Authority;
  /** Who may do what. */
  readonly authorizer: Authorizer;
  readonly tokens: Tokens;
  /** The webhooks and policies that have been registered; loaded when first asked for. */
  readonly admission: () => Promise<(admitted: Admitted) => Reviewers>;
  /** What asks the conversion webhook of a definition; loaded when first asked for. */
  readonly converterOf: (definition: ApiObject) => Promise<Convert>;
  /** What a container has printed. */
  readonly logOf: (pod: ApiObject, container: string) => string;
  /** What the version that it claims to be can do. */
  readonly profile: Profile;
  /** What `/version` says, such as `v1.34.1`. */
  readonly version: string;
}

/** Makes an object of another version of one. Rejects with the server's 500. */
export type Convert = (object: Draft, apiVersion: string) => Promise<Draft>;

/** Whether somebody may do something, and why. */
export interface Decision {
  readonly allowed: boolean;
  /** Empty when there is nothing to say. */
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

/** What a binding points to. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** An action on a resource, or on a path that is none. */
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

/** Somebody writes an object that may give rights away. */
export interface RoleWrite {
  readonly user: User;
  readonly resource: Resource;
  readonly draft: Draft;
  /** The name in the request's path. */
  readonly named: string | undefined;
  /** What it replaces. */
  readonly current?: ApiObject;
}

/** Says who may do what. */
export interface Authorizer {
  /** Whether it lets everybody do everything, so that there is no need to ask. */
  readonly isOpen: boolean;
  decide(user: User, action: Action): Decision;
  /** Throws the server's 403 when a Role or a binding would give away rights that its writer does not have. */
  checkGrant(write: RoleWrite): void;
  /** Every rule that holds for a user in a namespace (empty: cluster-wide), and the roles that bindings point to in vain. */
  rulesFor(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly missing: readonly RoleRef[] };
}

/** What the token of a service account says. */
export interface TokenClaims {
  readonly aud: readonly string[];
  /** Seconds since the epoch. */
  readonly exp: number;
  /** The token's own id. */
  readonly jti: string;
  readonly namespace: string;
  readonly name: string;
  /** The service account's. */
  readonly uid: string;
  /** An object that the token lives and dies with. */
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** Where the pod is that the token is bound to. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** Who a token stands for, and to whom; or why it is not good, in the server's words. */
export type TokenVerdict = { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };

/** Knows bearer tokens. */
export interface Tokens {
  /** Who issues those of service accounts, and the audience of tokens that do not say for whom they are. */
  readonly issuer: string;
  /** Who a token stands for to the API server; undefined when it is not good. */
  userOf(token: string): User | undefined | Promise<User | undefined>;
  /** The same, and whether it is good for any of these audiences. @default the API server */
  review(token: string, audiences?: readonly string[]): Promise<TokenVerdict>;
  /** Makes a token for a service account. */
  issue(claims: TokenClaims): Promise<string>;
  /** What its tokens are verified by, as a JSON Web Key. */
  publicKey(): Promise<object>;
}

/** Gives out what Services need, each value once at a time. */
export interface Addresses {
  /** Where they come from, such as `10.96.0.0/16`. */
  readonly range: string;
  /** The first of them: the API server's. */
  readonly own: string;
  /** Takes an address, or the wanted one; undefined when that one is taken or outside the range. */
  takeIp(wanted?: string): string | undefined;
  /** Whether an address is in the range that addresses are taken from. */
  isOurs(ip: string): boolean;
  takePort(wanted?: number): number | undefined;
  /** Gives back what a Service held. */
  release(held: { readonly ips: readonly string[]; readonly ports: readonly number[] }): void;
}

/** RFC 3339 in seconds, as metadata has it. */
export const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const hex = '0123456789abcdef';

/** A version 4 UUID from a random source. */
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

/** What the server appends to `metadata.generateName`: the base is cut so that 63 characters are enough. */
export function generatedName(base: string, random: () => number): string {
  let suffix = '';
  for (let index = 0; index < 5; index += 1) suffix += suffixLetters[Math.floor(random() * suffixLetters.length)];
  return base.slice(0, 58) + suffix;
}
