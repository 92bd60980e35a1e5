import type { ApiRequest, User } from '../http/message.ts';
import { isLabel, isSubdomain } from '../kinds/names.ts';
import type { Action } from '../machinery.ts';

/** Who somebody wants to be, and what each part of it takes the right to. */
export interface Impersonation {
  readonly user: User;
  readonly needs: readonly Action[];
}

/** Everybody whose credentials were taken. */
export const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
/** Who comes without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: [unauthenticated] };

const extraPrefix = 'impersonate-extra-';
const verb = 'impersonate';
const group = 'authentication.k8s.io';

/** Values of a header that was given more than once are a line each. */
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

/** The namespace and name of a service account's user name; undefined for other users. */
function serviceAccountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  if (namespace === undefined || account === undefined) return undefined;
  return [...isLabel(namespace), ...isSubdomain(account)].length === 0 ? { namespace, name: account } : undefined;
}

/** The groups that a service account is in. */
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

/** Who a request's headers ask to be; undefined when they ask nothing. */
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

/** What the server says when headers ask for groups or more without a user; undefined when they do not. */
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
