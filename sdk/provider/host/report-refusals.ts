/** Counts and reports writes of workspaces that the API server refuses. */

import type { JsonPatchOperation } from '../../api/patch.ts';
import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import type { ClientObserver } from '../../client/http/observer.ts';
import type { RefusedWrite } from '../../client/http/refused-write.ts';
import { ApiError, RefusedError } from '../../errors.ts';
import type { ProviderHost } from './host.ts';

/** JSON patch of a workspace. */
interface WorkspacePatch {
  readonly operations: readonly JsonPatchOperation[];
  /** True for a patch of the subresource `status`. */
  readonly status: boolean;
}

type PatchChange = Exclude<JsonPatchOperation, { op: 'test' }>;
type WriteKind = RefusedWrite['write'];

const isChange = (operation: JsonPatchOperation): operation is PatchChange => operation.op !== 'test';

/** Returns the journal entries that a change of the status contains. */
function entriesIn(change: PatchChange): readonly Partial<GuardEntry>[] {
  const value = 'value' in change ? (change.value as object | null) : null;
  const [, , guards, type, ...deeper] = change.path.split('/');
  if (value === null || deeper.length > 0) return [];
  if (guards === undefined) return Object.values((value as { guards?: Record<string, GuardEntry> }).guards ?? {});
  if (guards !== 'guards') return [];
  return type === undefined ? Object.values(value as Record<string, GuardEntry>) : [value as GuardEntry];
}

/** Returns the member of an existing journal entry that a change writes, such as its beat, ids or format; undefined for other changes. */
const memberIn = ({ path }: PatchChange): string | undefined =>
  path.startsWith('/status/guards/') ? path.split('/')[4] : undefined;

function partOfStatus({ operations }: WorkspacePatch): WriteKind {
  const changes = operations.filter(isChange);
  const entries = changes.flatMap(entriesIn).filter(({ phase }) => phase !== 'none');
  const begins = operations.some(({ op, path }) => op === 'test' && path === '/metadata/generation');
  if (entries.length > 0) return begins ? 'intent' : 'outcome';
  const members = changes.map(memberIn);
  if (members.includes('beat')) return 'beat';
  if (members.includes('refs')) return 'checkpoint';
  return members.some((member) => member !== undefined) ? 'outcome' : 'condition';
}

function partOfMain({ operations }: WorkspacePatch): WriteKind {
  const changes = operations.filter(isChange);
  const has = (op: PatchChange['op'], start: string): boolean =>
    changes.some((change) => change.op === op && change.path.startsWith(start));
  const finalizers = '/metadata/finalizers';
  const mirror = '/metadata/annotations/external'; // or a page of it
  if (has('remove', finalizers)) return 'release';
  if (has('remove', mirror)) return 'mirror';
  if (has('add', finalizers) || has('replace', finalizers)) return 'claim';
  return has('add', '/metadata/annotations') || has('replace', mirror) ? 'mirror' : 'other';
}

/** Classifies a patch of a workspace by its content. */
export const classifyWrite = (writing: WorkspacePatch): WriteKind =>
  writing.status ? partOfStatus(writing) : partOfMain(writing);

/** Returns the reason of a refused write; undefined for errors that are not refusals: races, no answer, a workspace that is gone. */
export function refusalCodeOf(error: unknown): RefusedWrite['code'] | undefined {
  if (error instanceof RefusedError) return 'policy';
  if (!(error instanceof ApiError) || error.code === 404 || error.code === 409) return undefined;
  if (error.code >= 500) return '5xx';
  return error.code >= 400 ? '4xx' : undefined;
}

/** Sends a patch of a workspace, and reports to the observer when the API server refuses it. @throws what `send` throws */
export async function reportingRefusal<T>(
  { refused }: Pick<ClientObserver, 'refused'>,
  writing: WorkspacePatch,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const code = refusalCodeOf(error);
    if (code !== undefined) refused?.({ write: classifyWrite(writing), code });
    throw error;
  }
}

/** Reports whether an error is a refusal that a retry does not change: a missing permission, an object that is too large, a policy. */
export const isServerRefusal = (error: unknown): error is ApiError | RefusedError =>
  error instanceof RefusedError ||
  (error instanceof ApiError && error.code >= 400 && error.code < 500 && ![404, 408, 409, 429].includes(error.code));

/** Reports that a condition could not be written: by an event if the API server refuses it, which a retry does not change, else in the log. */
export function reportConditionUnwritten(
  { events, logger }: Pick<ProviderHost, 'events' | 'logger'>,
  { workspace, type }: { readonly workspace: Workspace; readonly type: string },
  error: unknown,
): void {
  if (isServerRefusal(error))
    events.event(workspace, 'Warning', 'WriteRefused', `condition ${type} is not written: ${error.message}`);
  else {
    const { namespace, name } = workspace.metadata;
    logger?.warn({ err: error, workspace: { namespace, name }, condition: type }, 'condition not written');
  }
}
