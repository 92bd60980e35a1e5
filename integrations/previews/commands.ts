/** Commands in comments: `/preview` and `/preview delete`. */

import type { PullRequestComment } from '../code-host/code-host.ts';
import type { PreviewCommand } from './plan.ts';
import type { CommentCursor } from './preview-state.ts';

/** Command with its author, who has yet to be looked up. */
export interface RequestedCommand extends PreviewCommand {
  readonly author: string;
}

/** Part of a comment that is searched, in characters. */
const searched = 2000;
/** Overlap in ms of the first look with the time before it, since clocks differ. */
const overlap = 60_000;

/** Returns where reading begins, and what was read before counts for nothing. */
export const firstCursor = (now: number): CommentCursor => ({ since: Math.max(0, now - overlap), id: 0 });

/** Returns a cursor that is not later than now: a host whose clock was wrong once would else be asked about the future for ever. */
export const cursorBefore = (now: number, { since, id }: CommentCursor): CommentCursor => ({
  since: Math.min(since, now),
  id,
});

/** Returns the verb of the last command in a comment: a line of its own; undefined when there is none. */
export function verbOf(body: string): PreviewCommand['verb'] | undefined {
  const lines = body.slice(0, searched).split(/\r?\n/);
  const found = lines
    .map((line) => /^\/preview(?:[ \t]+(\S+))?[ \t]*$/.exec(line.trimEnd()))
    .findLast((one) => one !== null);
  if (found === null || found === undefined) return undefined;
  if (found[1] === undefined || found[1] === 'create') return 'create';
  return found[1] === 'delete' ? 'delete' : undefined;
}

/** Returns the commands in comments that were not read before, in their order, and the position of the last one read. An edited comment is not read again. */
export function newCommands(
  comments: readonly PullRequestComment[],
  cursor: CommentCursor,
): { readonly commands: readonly RequestedCommand[]; readonly cursor: CommentCursor } {
  const fresh = comments.filter(({ id }) => id > cursor.id).toSorted((a, b) => a.id - b.id);
  const commands = fresh.flatMap(({ number, author, body }) => {
    const verb = verbOf(body);
    return verb === undefined || author === '' ? [] : [{ number, author, verb }];
  });
  return {
    commands,
    cursor: {
      since: Math.max(cursor.since, ...comments.map(({ updatedAt }) => updatedAt)),
      id: Math.max(cursor.id, ...fresh.map(({ id }) => id)),
    },
  };
}
