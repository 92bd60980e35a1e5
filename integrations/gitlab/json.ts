/** Reads the JSON of GitLab's REST API and webhooks. */

import type { CommitStatus, PullRequest, PullRequestComment } from '../code-host/code-host.ts';
import { commitOf, idOf, membersOf, textOf, timeOf } from '../code-host/json.ts';

/** Parses a merge request; undefined without a required member. */
export function mergeRequestOf(value: unknown): PullRequest | undefined {
  const { iid, state, sha, source_branch, source_project_id, target_project_id, labels, updated_at } = membersOf(value);
  const [number, branch, commit, updatedAt] = [idOf(iid), textOf(source_branch), commitOf(sha), timeOf(updated_at)];
  const lacks = number === undefined || branch === undefined || commit === undefined || updatedAt === undefined;
  if (lacks) return undefined;
  const source = idOf(source_project_id);
  return {
    number,
    isOpen: state === 'opened',
    sha: commit,
    branch,
    isFork: source === undefined || source !== target_project_id,
    labels: Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [],
    updatedAt,
  };
}

/** Parses a note of a user; undefined for system notes, and without a required member. */
export function noteOf(value: unknown): PullRequestComment | undefined {
  const { id, body, author, system, noteable_iid, updated_at } = membersOf(value);
  const [known, number, said, updatedAt] = [idOf(id), idOf(noteable_iid), textOf(body), timeOf(updated_at)];
  const lacks = known === undefined || number === undefined || said === undefined || updatedAt === undefined;
  if (lacks || system === true) return undefined;
  return { id: known, number, author: textOf(membersOf(author).username) ?? '', body: said, updatedAt };
}

/** Status of a commit as GitLab has it. */
export interface GitLabStatus {
  readonly id: number;
  /** `pending`, `running`, `success`, `failed`, `canceled` or another one. */
  readonly status: string;
  readonly shown: CommitStatus;
}

const states: ReadonlyMap<unknown, CommitStatus['state']> = new Map([
  ['created', 'pending'],
  ['pending', 'pending'],
  ['running', 'pending'],
  ['success', 'success'],
]);

/** Parses a commit status; undefined without a required member. */
export function statusOfCommit(value: unknown): (GitLabStatus & { readonly name: string }) | undefined {
  const { id, name, status, description, target_url: url } = membersOf(value);
  const [known, context, state] = [idOf(id), textOf(name), textOf(status)];
  if (known === undefined || context === undefined || state === undefined) return undefined;
  const shown = {
    state: states.get(state) ?? 'failure',
    description: textOf(description) ?? '',
    ...(textOf(url) && { url: textOf(url) }),
  };
  return { id: known, name: context, status: state, shown };
}

/** Lowest access level that may write: Developer. */
const developer = 30;

/** Reports whether a membership grants write access at this wall clock in ms. */
export function isWriter(value: unknown, now: number): boolean {
  const { access_level, state, expires_at } = membersOf(value);
  const isExpired = expires_at !== null && expires_at !== undefined && !((timeOf(expires_at) ?? 0) > now);
  return typeof access_level === 'number' && access_level >= developer && state === 'active' && !isExpired;
}

/** Reads which merge request a delivery is about; undefined when it is about none. */
export function hookedOf(value: unknown): { readonly repository: string; readonly number: number } | undefined {
  const { object_kind, project, object_attributes, merge_request } = membersOf(value);
  const path = textOf(membersOf(project).path_with_namespace);
  const about = object_kind === 'note' ? merge_request : object_attributes;
  const number = ['note', 'merge_request'].includes(`${object_kind}`) ? idOf(membersOf(about).iid) : undefined;
  if (path === undefined || path.length > 1_000 || number === undefined) return undefined;
  return /^[^/\s]+(\/[^/\s]+)+$/.test(path) ? { repository: path.toLowerCase(), number } : undefined;
}
