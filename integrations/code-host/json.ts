/** Parsers of the JSON of code hosts: shared ones, and those of GitHub's REST API, which Gitea follows. */

import { isJsonObject } from '../../sdk/index.ts';
import type { CommitStatus, PullRequest, PullRequestComment } from './code-host.ts';

/** Returns the members of an object; none for any other value. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? (value as Readonly<Record<string, unknown>>) : {};

/** Returns the entries of a list. @throws Error for any other value, which does not say that there are none */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what}: returned no list`);
  return value;
}

/** Returns a text; undefined for any other value. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns a whole number of 1 or more, of 15 digits at most. */
export const idOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Returns ms since the epoch; undefined for an invalid time. */
export const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/** Returns `owner/name` in lower case; undefined for any other value. */
export function repositoryOf(value: unknown): string | undefined {
  const name = textOf(membersOf(value).full_name);
  return name !== undefined && name.length <= 300 && /^[^/\s]+\/[^/\s]+$/.test(name) ? name.toLowerCase() : undefined;
}

/** Returns the id of a commit, in SHA-1 or SHA-256; undefined for any other value. */
export function commitOf(value: unknown): string | undefined {
  const id = textOf(value);
  return id !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : undefined;
}

const labelsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((label) => textOf(membersOf(label).name) ?? []) : [];

/** Parses a pull request; undefined without a required member. */
export function pullRequestOf(value: unknown): PullRequest | undefined {
  const { number, state, head, base, labels, updated_at } = membersOf(value);
  const { sha, ref, repo } = membersOf(head);
  const [id, branch, commit, updatedAt] = [idOf(number), textOf(ref), commitOf(sha), timeOf(updated_at)];
  const lacks = id === undefined || branch === undefined || commit === undefined || updatedAt === undefined;
  if (lacks) return undefined;
  const [from, to] = [repositoryOf(repo), repositoryOf(membersOf(base).repo)];
  const isFork = from === undefined || from !== to;
  return { number: id, isOpen: state === 'open', sha: commit, branch, isFork, labels: labelsOf(labels), updatedAt };
}

/** Parses a comment; undefined without a required member. */
export function commentOf(value: unknown): PullRequestComment | undefined {
  const { id, body, user, issue_url, pull_request_url, updated_at } = membersOf(value);
  const at = [issue_url, pull_request_url].map((url) => /\/(\d{1,15})$/.exec(textOf(url) ?? '')?.[1]);
  const number = idOf(Number(at.find((found) => found !== undefined)));
  const [known, text, author, updatedAt] = [idOf(id), textOf(body), textOf(membersOf(user).login), timeOf(updated_at)];
  const lacks = known === undefined || number === undefined || text === undefined || updatedAt === undefined;
  return lacks ? undefined : { id: known, number, author: author ?? '', body: text, updatedAt };
}

const states: ReadonlyMap<unknown, CommitStatus['state']> = new Map([
  ['pending', 'pending'],
  ['success', 'success'],
  ['failure', 'failure'],
  ['error', 'failure'],
  ['warning', 'failure'],
]);

/** Returns the status of a context among the newest of each. */
export function statusIn(value: unknown, context: string): CommitStatus | undefined {
  const { statuses } = membersOf(value);
  const found = (Array.isArray(statuses) ? statuses : []).map(membersOf).find((one) => one.context === context);
  if (found === undefined) return undefined;
  const { state, status, description, target_url: url } = found;
  return {
    state: states.get(state ?? status) ?? 'failure',
    description: textOf(description) ?? '',
    ...(textOf(url) && { url: textOf(url) }),
  };
}

/** Reads which pull request a delivery is about; undefined when it is about none. */
export function deliveredOf(value: unknown): { readonly repository: string; readonly number: number } | undefined {
  const { repository, pull_request, issue } = membersOf(value);
  const at = repositoryOf(repository);
  const isPull = membersOf(issue).pull_request !== undefined && membersOf(issue).pull_request !== null;
  const number = idOf(membersOf(pull_request).number) ?? (isPull ? idOf(membersOf(issue).number) : undefined);
  return at === undefined || number === undefined ? undefined : { repository: at, number };
}
