/** State of the previews of a repository that must survive a restart, in a ConfigMap. */

import { type Client, ConfigMap, NotFoundError } from '../../sdk/index.ts';
import { membersOf } from '../code-host/json.ts';
import type { PreviewRecord, PreviewRecords } from './plan.ts';

/** Position up to which the comments of a repository have been read. */
export interface CommentCursor {
  /** Last change of the last comment that was read, by the host's clock, in ms. */
  readonly since: number;
  /** Highest id that was read. */
  readonly id: number;
}

/** State of the previews of one repository. */
export interface PreviewState {
  readonly records: PreviewRecords;
  /** Undefined: no comment has been read yet. */
  readonly cursor: CommentCursor | undefined;
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): PreviewRecord | undefined {
  const { sha, since, stopped } = membersOf(value);
  if (typeof sha !== 'string' || !isTime(since)) return undefined;
  return { sha, since, ...((stopped === 'expired' || stopped === 'deleted') && { stopped }) };
}

/** Parses the data of a ConfigMap; invalid entries are dropped. */
export function previewStateOf(data: Readonly<Record<string, string>>): PreviewState {
  const { since, id } = membersOf(jsonOf(data.comments));
  const records = Object.entries(membersOf(jsonOf(data.pullRequests))).flatMap(([number, value]) => {
    const record = /^[1-9]\d{0,14}$/.test(number) ? recordOf(value) : undefined;
    return record === undefined ? [] : [[Number(number), record] as const];
  });
  return { records: new Map(records), cursor: isTime(since) && isTime(id) ? { since, id } : undefined };
}

/** Formats the data of a ConfigMap; equal states result in equal texts. */
export function previewStateData({ records, cursor }: PreviewState): Readonly<Record<string, string>> {
  const sorted = [...records].toSorted(([a], [b]) => a - b);
  return {
    pullRequests: JSON.stringify(Object.fromEntries(sorted)),
    ...(cursor !== undefined && { comments: JSON.stringify(cursor) }),
  };
}

/** State as read, and the function that replaces it. */
export interface LoadedPreviewState {
  readonly state: PreviewState;
  /** Writes the state if it has changed. @throws ConflictError or AlreadyExistsError if another process has written it meanwhile */
  save(state: PreviewState): Promise<void>;
}

/** Reads the state of a repository, named by the value of its source label. */
export async function loadPreviewState(
  client: Client,
  key: { readonly namespace: string; readonly source: string },
  signal: AbortSignal,
): Promise<LoadedPreviewState> {
  const objectKey = { namespace: key.namespace, name: `previews-${key.source}` };
  const found = await client.get(ConfigMap, objectKey, { signal }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  const state = previewStateOf((found?.data ?? {}) as Readonly<Record<string, string>>);
  return {
    state,
    async save(next) {
      const data = previewStateData(next);
      if (found === undefined) await client.create(ConfigMap, { metadata: objectKey, data }, { signal });
      else if (JSON.stringify(data) !== JSON.stringify(previewStateData(state)))
        await client.update(ConfigMap, { ...found, data }, { signal });
    },
  };
}
