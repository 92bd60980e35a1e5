/** State of the page in the browser, and how each message of the server changes it. */

import type { LiveMessages, SessionView, WorkspaceRow, WorkspaceView } from '../../page-model.ts';

/** State of the page. */
export interface PageState {
  /** `signed-out`: a token is needed; `lost`: the server does not respond, and the client reconnects. */
  readonly connection: 'connecting' | 'live' | 'lost' | 'signed-out';
  /** Last problem, for people. */
  readonly problem: string | undefined;
  readonly session: SessionView | undefined;
  /** ms to add to this machine's clock to get the server's. */
  readonly skew: number;
  /** Sorted by key. */
  readonly rows: readonly WorkspaceRow[];
  /** Rows of an incomplete new list. */
  readonly incoming: readonly WorkspaceRow[] | undefined;
  /** True once the first list is complete. */
  readonly complete: boolean;
  readonly workspace: WorkspaceView | null | undefined;
  readonly process: LiveMessages['process'] | undefined;
  readonly objects: LiveMessages['objects'] | undefined;
}

/** Change of the state. */
export type PageChange =
  | {
      readonly [Name in keyof LiveMessages]: { readonly type: Name; readonly value: LiveMessages[Name] };
    }[keyof LiveMessages]
  | { readonly type: 'connection'; readonly value: PageState['connection']; readonly problem?: string }
  | { readonly type: 'select' };

/** State before the first message. */
export const initialState: PageState = {
  connection: 'connecting',
  problem: undefined,
  session: undefined,
  skew: 0,
  rows: [],
  incoming: undefined,
  complete: false,
  workspace: undefined,
  process: undefined,
  objects: undefined,
};

const byKey = (one: WorkspaceRow, other: WorkspaceRow): number =>
  one.key < other.key ? -1 : one.key > other.key ? 1 : 0;

/** Returns the rows after a change; the same objects where nothing changed. */
export function nextRows(
  rows: readonly WorkspaceRow[],
  { reset, changed, gone }: LiveMessages['rows'],
): readonly WorkspaceRow[] {
  const all = new Map(reset ? [] : rows.map((row) => [row.key, row]));
  for (const key of gone) all.delete(key);
  const size = all.size;
  for (const row of changed) all.set(row.key, row);
  const next = [...all.values()];
  return all.size === size ? next : next.sort(byKey);
}

/** Adds received rows. A new list replaces the previous one when it is complete, so that rows do not jump. */
function addRows(state: PageState, message: LiveMessages['rows']): PageState {
  const { reset, more } = message;
  const isStaged = state.complete && (reset || state.incoming !== undefined);
  const next = nextRows((isStaged ? state.incoming : undefined) ?? state.rows, message);
  if (isStaged && more) return { ...state, incoming: next };
  return { ...state, rows: next, incoming: undefined, complete: state.complete || !more };
}

/** Returns the next state. Pure. @param now this machine's clock, ms since 1970 */
export function nextPage(state: PageState, change: PageChange, now: number): PageState {
  switch (change.type) {
    case 'session':
      return { ...state, connection: 'live', problem: undefined, session: change.value, skew: change.value.now - now };
    case 'rows':
      return addRows(state, change.value);
    case 'connection':
      return {
        // The data of one user is dropped before the next one signs in.
        ...(change.value === 'signed-out' ? initialState : state),
        connection: change.value,
        problem: change.problem,
      };
    case 'select':
      return { ...state, workspace: undefined };
    default:
      return { ...state, [change.type]: change.value };
  }
}
