/** JSON of merge requests, notes, statuses, users and members as GitLab answers it, by the types of @gitbeaker/rest. */

import { createHash } from 'node:crypto';
import type {
  CommitStatusSchema,
  MemberSchema,
  MergeRequestNoteSchema,
  MergeRequestSchema,
  UserSchema,
} from '@gitbeaker/rest';
import type { HeldComment, HeldPull, HeldRepository, HeldStatus } from '../fixtures/a-code-host.ts';

/** Returns the number that GitLab gives a project or a user, by its name. */
export const numberOfName = (name: string): number =>
  createHash('sha256').update(name.toLowerCase()).digest().readUInt32BE(0) + 1;

const time = (ms: number): string => new Date(ms).toISOString();

type MergeRequestJson = Pick<
  MergeRequestSchema,
  | 'id'
  | 'iid'
  | 'project_id'
  | 'title'
  | 'state'
  | 'updated_at'
  | 'sha'
  | 'source_branch'
  | 'target_project_id'
  | 'labels'
> & { readonly source_project_id: number | null };

export const mergeRequestJson = ({ name }: HeldRepository, pull: HeldPull): MergeRequestJson => ({
  id: 1_000_000 + pull.number,
  iid: pull.number,
  project_id: numberOfName(name),
  title: `merge request ${pull.number}`,
  state: pull.state === 'open' ? 'opened' : 'closed',
  updated_at: time(pull.updatedAt),
  sha: pull.sha,
  source_branch: pull.branch,
  source_project_id: pull.from === null ? null : numberOfName(pull.from),
  target_project_id: numberOfName(name),
  labels: [...pull.labels],
});

export const userJson = (username: string): Pick<UserSchema, 'id' | 'username' | 'name' | 'state'> => ({
  id: numberOfName(username),
  username,
  name: username,
  state: 'active',
});

type NoteJson = Pick<
  MergeRequestNoteSchema,
  'id' | 'body' | 'created_at' | 'updated_at' | 'system' | 'noteable_iid'
> & {
  readonly author: Pick<UserSchema, 'id' | 'username'>;
};

export const noteJson = (comment: HeldComment): NoteJson => ({
  id: comment.id,
  body: comment.body,
  author: userJson(comment.author),
  created_at: time(comment.createdAt),
  updated_at: time(comment.updatedAt),
  system: comment.author === 'system',
  noteable_iid: comment.number,
});

export const statusJson = (
  id: number,
  { sha, context, state, description, url }: HeldStatus,
): Pick<CommitStatusSchema, 'id' | 'sha' | 'status' | 'name'> &
  Record<'description' | 'target_url', string | null> => ({
  id,
  sha,
  status: state as CommitStatusSchema['status'],
  name: context,
  description: description === '' ? null : description,
  target_url: url,
});

const levels = { admin: 40, write: 30, read: 20 } as const;

export const memberJson = (
  username: string,
  role: keyof typeof levels,
): Pick<MemberSchema, 'id' | 'username' | 'state' | 'access_level'> & { readonly expires_at: null } => ({
  id: numberOfName(username),
  username,
  state: 'active',
  access_level: levels[role],
  expires_at: null,
});
