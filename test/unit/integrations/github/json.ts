/** JSON of pull requests, comments and statuses as GitHub answers it, by the types of its OpenAPI description. */

import type { components } from '@octokit/openapi-types';
import type { HeldComment, HeldPull, HeldRepository, HeldStatus } from '../fixtures/a-code-host.ts';

type Schemas = components['schemas'];
type PullJson = Pick<
  Schemas['pull-request-simple'],
  'id' | 'number' | 'state' | 'title' | 'updated_at' | 'html_url'
> & {
  readonly labels: readonly Pick<Schemas['pull-request-simple']['labels'][number], 'name'>[];
  readonly head: Pick<Schemas['pull-request-simple']['head'], 'ref' | 'sha'> & {
    readonly repo: Pick<Schemas['repository'], 'full_name'> | null;
  };
  readonly base: { readonly repo: Pick<Schemas['repository'], 'full_name'> };
};
type CommentJson = Pick<
  Schemas['issue-comment'],
  'id' | 'body' | 'created_at' | 'updated_at' | 'issue_url' | 'html_url'
> & {
  readonly user: Pick<Schemas['simple-user'], 'login'>;
};
type StatusJson = Pick<Schemas['simple-commit-status'], 'context' | 'state' | 'description' | 'target_url'>;

const api = 'https://api.github.com';

const time = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

export const pullJson = ({ name }: HeldRepository, pull: HeldPull): PullJson => ({
  id: 1_000_000 + pull.number,
  number: pull.number,
  state: pull.state,
  title: `pull request ${pull.number}`,
  html_url: `https://github.com/${name}/pull/${pull.number}`,
  updated_at: time(pull.updatedAt),
  labels: pull.labels.map((label) => ({ name: label })),
  head: { ref: pull.branch, sha: pull.sha, repo: pull.from === null ? null : { full_name: pull.from } },
  base: { repo: { full_name: name } },
});

export const commentJson = ({ name }: HeldRepository, comment: HeldComment): CommentJson => ({
  id: comment.id,
  body: comment.body,
  user: { login: comment.author },
  created_at: time(comment.createdAt),
  updated_at: time(comment.updatedAt),
  issue_url: `${api}/repos/${name}/issues/${comment.number}`,
  html_url: `https://github.com/${name}/pull/${comment.number}#issuecomment-${comment.id}`,
});

export const statusJson = ({ context, state, description, url }: HeldStatus): StatusJson => ({
  context,
  state,
  description,
  target_url: url as string,
});
