/** Client of GitLab's REST API, version 4: merge requests, their notes, commit statuses and members. */

import { type Clock, DefiniteError } from '../../sdk/index.ts';
import { deleteObject, found, foundObject, loginOf } from '../code-host/api.ts';
import type { CodeHost, PullRequest } from '../code-host/code-host.ts';
import { idOf, listIn, membersOf } from '../code-host/json.ts';
import type { CheckedCodeHostOptions } from '../code-host/options.ts';
import { withRateLimits } from '../code-host/rate-limits.ts';
import { type HttpApi, httpApi } from '../http-api.ts';
import { type GitLabStatus, isWriter, mergeRequestOf, noteOf, statusOfCommit } from './json.ts';

const vendor = 'GitLab';
/** Entries of a page; pages of a list: 3 000 entries. */
const [pageSize, maxPages] = [100, 30];
/** Maximum bytes of a page: a note has at most a million characters. */
const maxBodyLength = 2 ** 25;

const advice = {
  401: 'check option token',
  403: 'check option token: it needs the scope api, and the role Developer in the project',
  404: 'check the path of the project with all its groups, and that the token may see it',
};

/** Returns GitLab's words: a text, or an object of lists by field. */
function reasonOf(body: unknown): string | undefined {
  const { message, error } = membersOf(body);
  const words = message ?? error;
  return typeof words === 'object' && words !== null
    ? JSON.stringify(words)
    : words === undefined
      ? undefined
      : `${words}`;
}

const projectPath = (repository: string): string => `/projects/${encodeURIComponent(repository)}`;
const notesPath = (repository: string, number: number): string =>
  `${projectPath(repository)}/merge_requests/${number}/notes`;

/** List of an API, and how its entries are read. */
interface ItemPage<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly read: (value: unknown) => T | undefined;
  /** Ends the list before the first entry for which it is true. */
  readonly isPast?: (entry: T) => boolean;
  /** Longer lists are cut. @default they are refused */
  readonly isCut?: boolean;
}

const hasNext = (headers: Headers): boolean => /[;,\s]rel="?next"?/.test(headers.get('link') ?? '');

/** Reads the pages of a list. @throws DefiniteError for too many, unless it is cut */
async function all<T>(
  api: HttpApi,
  { path, query = {}, read, isPast = () => false, isCut = false }: ItemPage<T>,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const search = new URLSearchParams({ ...query, per_page: `${pageSize}`, page: `${page}` });
    const { body, headers } = await api.request({ method: 'GET', path: `${path}?${search}`, signal });
    const entries = listIn(body, `${vendor}: GET ${path}`).flatMap((one) => read(one) ?? []);
    const past = entries.findIndex(isPast);
    found.push(...(past === -1 ? entries : entries.slice(0, past)));
    if (past !== -1 || !hasNext(headers)) return found;
  }
  if (isCut) return found;
  throw new DefiniteError(
    `${vendor}: ${path}: more than ${pageSize * maxPages} entries, which are not read: close or delete some`,
  );
}

/** Functions of a code host about comments. */
type NoteCalls = Pick<
  CodeHost,
  'commentsSince' | 'ownComments' | 'comment' | 'createComment' | 'editComment' | 'deleteComment'
>;

function commentsOf(api: HttpApi, login: (signal: AbortSignal) => Promise<string>): NoteCalls {
  const notes = (
    repository: string,
    number: number,
    more: Partial<ItemPage<NonNullable<ReturnType<typeof noteOf>>>> = {},
  ) => ({
    path: notesPath(repository, number),
    query: { sort: 'asc', order_by: 'created_at' },
    read: noteOf,
    ...more,
  });
  return {
    /**
     * GitLab has no list of all notes, so those of merge requests that have changed are read. A note changes its merge request: what is younger than the
     * youngest change may have been written while they were read, and is left to the next look, so that none is skipped.
     */
    async commentsSince(repository, since, signal) {
      const updated_after = new Date(Math.max(0, since - 1_000)).toISOString();
      const query = { state: 'opened', scope: 'all', order_by: 'updated_at', sort: 'asc', updated_after };
      const path = `${projectPath(repository)}/merge_requests`;
      const changed = await all<PullRequest>(api, { path, query, read: mergeRequestOf, isCut: true }, signal);
      const horizon = Math.max(0, ...changed.map(({ updatedAt }) => updatedAt));
      const newest = { query: { sort: 'desc', order_by: 'updated_at' }, isCut: true };
      const isPast = ({ updatedAt }: { readonly updatedAt: number }) => updatedAt < since;
      const read = changed.map(({ number }) => all(api, notes(repository, number, { ...newest, isPast }), signal));
      const found = (await Promise.all(read)).flat().filter(({ updatedAt }) => updatedAt <= horizon);
      return found.toSorted((a, b) => a.updatedAt - b.updatedAt || a.id - b.id).slice(0, pageSize * maxPages);
    },
    async ownComments({ repository, number }, signal) {
      const ownLogin = await login(signal);
      const found = await all(api, notes(repository, number), signal);
      return found.filter(({ author }) => author.toLowerCase() === ownLogin).toSorted((a, b) => a.id - b.id);
    },
    async comment({ repository, number, id }, signal) {
      const path = `${notesPath(repository, number)}/${id}`;
      return foundObject(api, { path, signal }, { vendor, what: 'note', read: noteOf });
    },
    async createComment({ repository, number }, body, signal) {
      const path = notesPath(repository, number);
      const created = await api.request({ method: 'POST', path, body: { body }, signal });
      const id = idOf(membersOf(created.body).id);
      if (id === undefined) throw new Error(`${vendor}: POST ${path}: returned no note`);
      return id;
    },
    async editComment({ repository, number, id }, body, signal) {
      await api.request({ method: 'PUT', path: `${notesPath(repository, number)}/${id}`, body: { body }, signal });
    },
    async deleteComment({ repository, number, id }, signal) {
      const path = `${notesPath(repository, number)}/${id}`;
      await deleteObject(api, { path, list: `${projectPath(repository)}/merge_requests?per_page=1`, signal }, vendor);
    },
  };
}

/** Functions of a code host about commit statuses. */
function statusesOf(api: HttpApi): Pick<CodeHost, 'statusOf' | 'setStatus'> {
  const newest = async (
    { repository, sha, context }: Parameters<CodeHost['statusOf']>[0],
    signal: AbortSignal,
  ): Promise<GitLabStatus | undefined> => {
    const path = `${projectPath(repository)}/repository/commits/${sha}/statuses`;
    const found = await all(api, { path, query: { name: context }, read: statusOfCommit }, signal);
    return found.filter(({ name }) => name === context).toSorted((a, b) => b.id - a.id)[0];
  };
  return {
    async statusOf(commit, signal) {
      return (await newest(commit, signal))?.shown;
    },
    async setStatus(commit, { state, description, url }, signal) {
      const { repository, sha, context: name } = commit;
      const set = (body: object) =>
        api.request({
          ...{ method: 'POST', path: `${projectPath(repository)}/statuses/${sha}`, signal },
          body: { name, ...body },
        });
      // GitLab refuses a pending status in place of a pending one: the former is ended first.
      const former = state === 'pending' ? (await newest(commit, signal))?.status : undefined;
      if (former !== undefined && ['created', 'pending', 'running'].includes(former)) await set({ state: 'canceled' });
      const target = url === undefined ? {} : { target_url: url };
      await set({ state: state === 'failure' ? 'failed' : state, description, ...target });
    },
  };
}

/** Reads a user by the whole name; undefined when there is none. */
async function userOf(api: HttpApi, username: string, signal: AbortSignal): Promise<number | undefined> {
  const path = `/users?${new URLSearchParams({ username })}`;
  const { body } = await api.request({ method: 'GET', path, signal });
  const found = listIn(body, `${vendor}: GET /users`).map(membersOf);
  const user = found.find((one) => `${one.username}`.toLowerCase() === username.toLowerCase());
  return user?.state === 'active' ? idOf(user.id) : undefined;
}

/** Returns the functions of a code host but those about webhooks. */
export function gitLabApi(
  options: Pick<CheckedCodeHostOptions, 'url' | 'token' | 'login' | 'fetch' | 'deadline' | 'concurrency'> & {
    readonly clock: Clock;
  },
): Omit<CodeHost, 'name' | 'secrets' | 'delivery'> {
  const { token, login, fetch, clock } = options;
  const headers = { 'private-token': token, 'user-agent': 'workspace-sequencer' };
  const limited = withRateLimits(fetch, clock, 'ratelimit');
  const api = httpApi({ ...options, vendor, headers, fetch: limited, advice, reasonOf, maxBody: maxBodyLength });
  return {
    ...commentsOf(api, loginOf(api, { vendor, member: 'username', login })),
    ...statusesOf(api),
    pulls(repository, signal) {
      const query = { state: 'opened', scope: 'all', order_by: 'created_at', sort: 'asc' };
      return all(api, { path: `${projectPath(repository)}/merge_requests`, query, read: mergeRequestOf }, signal);
    },
    async pull(repository, number, signal) {
      const path = `${projectPath(repository)}/merge_requests/${number}`;
      return foundObject(api, { path, signal }, { vendor, what: 'merge request', read: mergeRequestOf });
    },
    async mayWrite(repository, username, signal) {
      const id = await userOf(api, username, signal);
      if (id === undefined) return false;
      return isWriter(await found(api, { path: `${projectPath(repository)}/members/all/${id}`, signal }), clock.now());
    },
  };
}
