/** Impersonation headers. */

import { isLabel, isSubdomain } from '../apimachinery/name-validation.ts';
import type { ApiRequest, User } from '../requests/message.ts';
import type { Action } from '../server/authorizer.ts';

/** Impersonated user, and the actions that impersonating it requires. */
export interface Impersonation {
  readonly user: User;
  readonly needs: readonly Action[];
}

/** Group of all authenticated users. */
export const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
/** User of requests without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: [unauthenticated] };

const extraPrefix = 'impersonate-extra-';
const verb = 'impersonate';
const group = 'authentication.k8s.io';

/** Splits a header that was given several times: one value per line. */
const listOf = (value: string | undefined): string[] => value?.split('\n') ?? [];

function extraOf(headers: ApiRequest['headers']): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(extraPrefix)) extra[decoded(name.slice(extraPrefix.length).toLowerCase())] = listOf(value);
  }
  return extra;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses the user name of a service account; undefined for other users. */
function serviceAccountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  if (namespace === undefined || account === undefined) return undefined;
  return [...isLabel(namespace), ...isSubdomain(account)].length === 0 ? { namespace, name: account } : undefined;
}

/** Returns the groups of a service account. */
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

function groupsOf(name: string, given: readonly string[]): string[] {
  if (name === anonymous.name) return [...new Set([...given, ...anonymous.groups])];
  const account = serviceAccountOf(name);
  const groups = given.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : given;
  const isTold = groups.includes(authenticated) || groups.includes(unauthenticated);
  return isTold ? [...groups] : [...groups, authenticated];
}

function needOfName(name: string): Action {
  const account = serviceAccountOf(name);
  if (account !== undefined) return { verb, group: '', resource: 'serviceaccounts', ...account };
  return { verb, group: '', resource: 'users', name };
}

/** Returns the impersonation that headers request, if any. */
export function impersonationOf({ headers }: ApiRequest): Impersonation | undefined {
  const name = headers['impersonate-user'];
  if (name === undefined || name === '') return undefined;
  const groups = listOf(headers['impersonate-group']);
  const uid = headers['impersonate-uid'] || undefined;
  const extra = extraOf(headers);
  const extras = Object.entries(extra).flatMap(([key, values]) => values.map((value) => [key, value] as const));
  return {
    user: {
      name,
      groups: groupsOf(name, groups),
      ...(uid !== undefined && { uid }),
      ...(extras.length > 0 && { extra }),
    },
    needs: [
      needOfName(name),
      ...groups.map((one): Action => ({ verb, group: '', resource: 'groups', name: one })),
      ...extras.map(([key, value]): Action => ({ verb, group, resource: 'userextras', subresource: key, name: value })),
      ...(uid === undefined ? [] : [{ verb, group, resource: 'uids', name: uid }]),
    ],
  };
}

/** Returns the server's error for impersonation headers without a user, if any. */
export function userlessFault({ headers, url }: ApiRequest): string | undefined {
  if (headers['impersonate-user']) return undefined;
  const uid = headers['impersonate-uid'] || undefined;
  const wanted = [
    ...listOf(headers['impersonate-group']).map((name) => `{Group  ${name}    }`),
    ...Object.entries(extraOf(headers)).flatMap(([key, values]) =>
      values.map((value) => `{UserExtra  ${value}  ${group}/v1  ${key}}`),
    ),
    ...(uid === undefined ? [] : [`{UID  ${uid}  ${group}/v1  }`]),
  ];
  if (wanted.length === 0) return undefined;
  return `Internal Server Error: ${JSON.stringify(url)}: requested [${wanted.join(' ')}] without impersonating a user\n`;
}
