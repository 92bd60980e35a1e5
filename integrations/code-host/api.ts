/** Client of the REST API of a code host: of GitHub's, and of Gitea's, which follows it. */

import { type Clock, DefiniteError } from '../../sdk/index.ts';
import { type HttpApi, type HttpApiOptions, type HttpApiRequest, httpApi } from '../http-api.ts';
import type { CodeHost, PullRequestPlace } from './code-host.ts';
import { commentOf, listIn, membersOf, pullRequestOf, statusIn } from './json.ts';

/** Address, credential and limits of a code host, and its differences from GitHub. */
export interface CodeHostApiOptions {
  readonly vendor: string;
  /** Base address of the API, without a trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Login of the token's holder. @default as the API says */
  readonly login?: string | undefined;
  /** Name of the parameter for the size of a page. */
  readonly sizeParameter: string;
  readonly advice: HttpApiOptions['advice'];
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
}

/** Entries of a page, and maximum number of pages of a list: 3 000 entries. */
const [pageSize, maxPages] = [50, 60];
/** Longest page in bytes: each text of its entries has 65 536 characters at most. */
const maxBodyLength = 2 ** 24;

const reasonOf = (body: unknown): string | undefined => {
  const { message } = membersOf(body);
  return typeof message === 'string' ? message : undefined;
};

const repositoryPath = (repository: string): string =>
  `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`;

/** Reads the pages of a list until a page has no new items, since hosts may ignore the page size. @throws DefiniteError for too many items, unless `isCut` */
async function allPages<T extends { readonly id: number }>(
  page: (number: number) => Promise<readonly T[]>,
  { what, isCut }: { readonly what: string; readonly isCut: boolean },
): Promise<readonly T[]> {
  const found = new Map<number, T>();
  for (let number = 1; number <= maxPages; number += 1) {
    const before = found.size;
    for (const one of await page(number)) found.set(one.id, one);
    if (found.size === before) return [...found.values()];
  }
  if (isCut) return [...found.values()];
  throw new DefiniteError(
    `${what}: more than ${pageSize * maxPages} entries, which are not read: close or delete some`,
  );
}

/** Requests and lists of one API. */
function readerOf(options: CodeHostApiOptions) {
  const { vendor, sizeParameter } = options;
  const api = httpApi({ ...options, reasonOf, maxBody: maxBodyLength });
  const paged = (path: string, query: Readonly<Record<string, string>>, page: number): string =>
    `${path}?${new URLSearchParams({ ...query, [sizeParameter]: `${pageSize}`, page: `${page}` })}`;
  const list =
    <T>(path: string, read: (value: unknown) => (T & { readonly id: number }) | undefined, isCut = false) =>
    async (query: Readonly<Record<string, string>>, signal: AbortSignal) =>
      allPages(
        async (page) => {
          const { body } = await api.request({ method: 'GET', path: paged(path, query, page), signal });
          return listIn(body, `${vendor}: GET ${path}`).flatMap((one) => read(one) ?? []);
        },
        { what: `${vendor}: ${path}`, isCut },
      );
  return { api, paged, list, login: loginOf(api, { ...options, member: 'login' }), vendor };
}

type ApiReader = ReturnType<typeof readerOf>;

/** Functions of a code host about comments. */
type Comments = Pick<
  CodeHost,
  'commentsSince' | 'ownComments' | 'comment' | 'createComment' | 'editComment' | 'deleteComment'
>;

/** Reports whether a repository is readable and lacks the pull request; Gitea answers 500 for the comments of a missing one. */
const isMissing = async (
  api: HttpApi,
  { repository, number }: PullRequestPlace,
  signal: AbortSignal,
): Promise<boolean> =>
  (await found(api, { path: `${repositoryPath(repository)}/pulls/${number}`, signal })) === undefined &&
  (await found(api, { path: repositoryPath(repository), signal })) !== undefined;

const commentPath = (repository: string, id: number): string => `${repositoryPath(repository)}/issues/comments/${id}`;

const commentsOf = ({ api, paged, list, login, vendor }: ApiReader): Comments => ({
  async commentsSince(repository, since, signal) {
    const comments = list(`${repositoryPath(repository)}/issues/comments`, commentOf, true);
    const query = { since: new Date(since).toISOString(), sort: 'updated', direction: 'asc' };
    return (await comments(query, signal)).toSorted((a, b) => a.updatedAt - b.updatedAt || a.id - b.id);
  },
  async ownComments(place, signal) {
    const comments = list(`${repositoryPath(place.repository)}/issues/${place.number}/comments`, commentOf);
    const ownLogin = await login(signal);
    const all = await comments({}, signal).catch(async (error: unknown) => {
      if (await isMissing(api, place, signal)) return [];
      throw error;
    });
    return all.filter(({ author }) => author.toLowerCase() === ownLogin).toSorted((a, b) => a.id - b.id);
  },
  async comment({ repository, id }, signal) {
    return foundObject(
      api,
      { path: commentPath(repository, id), signal },
      { vendor, what: 'comment', read: commentOf },
    );
  },
  async createComment({ repository, number }, body, signal) {
    const path = `${repositoryPath(repository)}/issues/${number}/comments`;
    const created = commentOf((await api.request({ method: 'POST', path, body: { body }, signal })).body);
    if (created === undefined) throw new Error(`${vendor}: POST ${path}: returned no comment`);
    return created.id;
  },
  async editComment({ repository, id }, body, signal) {
    await api.request({ method: 'PATCH', path: commentPath(repository, id), body: { body }, signal });
  },
  async deleteComment({ repository, id }, signal) {
    const list = paged(`${repositoryPath(repository)}/pulls`, {}, 1);
    await deleteObject(api, { path: commentPath(repository, id), list, signal }, vendor);
  },
});

/** Functions of a code host about commit statuses. */
const statusesOf = ({ api, paged, vendor }: ApiReader): Pick<CodeHost, 'statusOf' | 'setStatus'> => ({
  async statusOf({ repository, sha, context }, signal) {
    const path = `${repositoryPath(repository)}/commits/${sha}/status`;
    for (let page = 1; page <= maxPages; page += 1) {
      const body = await found(api, { path: paged(path, {}, page), signal });
      if (body === undefined) return undefined;
      const status = statusIn(body, context);
      const { statuses } = membersOf(body);
      if (status !== undefined || listIn(statuses === null ? [] : statuses, `${vendor}: GET ${path}`).length === 0)
        return status;
    }
    return undefined;
  },
  async setStatus({ repository, sha, context }, { state, description, url }, signal) {
    const body = { state, description, context, ...(url !== undefined && { target_url: url }) };
    await api.request({ method: 'POST', path: `${repositoryPath(repository)}/statuses/${sha}`, body, signal });
  },
});

/** Returns the functions of a code host but those about webhooks. */
export function codeHostApi(options: CodeHostApiOptions): Omit<CodeHost, 'name' | 'secrets' | 'delivery'> {
  const reader = readerOf(options);
  const { api, list, vendor } = reader;
  const pullOf = (value: unknown) => {
    const pull = pullRequestOf(value);
    return pull && { ...pull, id: pull.number };
  };
  return {
    ...commentsOf(reader),
    ...statusesOf(reader),
    pulls: (repository, signal) => list(`${repositoryPath(repository)}/pulls`, pullOf)({ state: 'open' }, signal),
    async pull(repository, number, signal) {
      const path = `${repositoryPath(repository)}/pulls/${number}`;
      return foundObject(api, { path, signal }, { vendor, what: 'pull request', read: pullRequestOf });
    },
    async mayWrite(repository, user, signal) {
      const path = `${repositoryPath(repository)}/collaborators/${encodeURIComponent(user)}/permission`;
      const { permission } = membersOf(await found(api, { path, signal }));
      return ['admin', 'owner', 'write'].includes(`${permission}`);
    },
  };
}

/** Reads something; undefined when it is not there. */
export async function found(api: HttpApi, call: Pick<HttpApiRequest, 'path' | 'signal'>): Promise<unknown> {
  const { status, body } = await api.request({ method: 'GET', ...call, expected: [404] });
  return status === 404 ? undefined : body;
}

/**
 * Deletes an object; a missing one counts as deleted where the repository is visible, since hosts answer 404 for what a token may not see, too.
 * @param list path of a list in the repository
 * @throws DefiniteError when the repository is not visible, Error for a response that is not a deletion
 */
export async function deleteObject(
  api: HttpApi,
  { path, list, signal }: Pick<HttpApiRequest, 'path' | 'signal'> & { readonly list: string },
  vendor: string,
): Promise<void> {
  const { status } = await api.request({ method: 'DELETE', path, signal, expected: [404] });
  if (status === 404) await api.request({ method: 'GET', path: list, signal });
  else if (status !== 204) throw new Error(`${vendor}: DELETE ${path}: HTTP ${status} instead of 204`);
}

/** Parser of a response object. */
export interface ObjectForm<T> {
  readonly vendor: string;
  /** Noun for messages: `comment`. */
  readonly what: string;
  /** Returns the object of a body; undefined for a body of another form. */
  readonly read: (body: unknown) => T | undefined;
}

/** Reads an object; undefined for 404. @throws Error for an invalid response */
export async function foundObject<T>(
  api: HttpApi,
  request: Pick<HttpApiRequest, 'path' | 'signal'>,
  { vendor, what, read }: ObjectForm<T>,
): Promise<T | undefined> {
  const body = await found(api, request);
  const object = read(body);
  if (body !== undefined && object === undefined)
    throw new Error(`${vendor}: GET ${request.path}: returned no ${what}`);
  return object;
}

/** Path of the token's user, and the member of the response with the login. */
export interface TokenHolder {
  readonly vendor: string;
  readonly member: 'login' | 'username';
  /** @default as the API says */
  readonly login?: string | undefined;
}

/** Returns a memoized function that reads the login of the token's user, in lower case. */
export function loginOf(
  api: HttpApi,
  { vendor, member, login }: TokenHolder,
): (signal: AbortSignal) => Promise<string> {
  let cachedLogin = login?.toLowerCase();
  return async (signal) => {
    if (cachedLogin !== undefined) return cachedLogin;
    const loginMember = membersOf((await api.request({ method: 'GET', path: '/user', signal })).body)[member];
    if (typeof loginMember !== 'string') throw new Error(`${vendor}: GET /user: returned no ${member}`);
    cachedLogin = loginMember.toLowerCase();
    return cachedLogin;
  };
}
