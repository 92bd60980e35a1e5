/** Watch of the workspaces that the page shows. */

import type { Logger } from 'pino';
import {
  type Change,
  type Client,
  type Clock,
  createReflector,
  ForbiddenError,
  parseKey,
  type Selection,
  Store,
  Workspace,
} from '../../sdk/index.ts';
import { WalkHistory } from './walk-history.ts';
import { rowOf } from './workspace-row.ts';

/** Options of {@link createPageSource}. */
export interface PageSourceOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Namespace and labels of the workspaces. @default all */
  readonly selection?: Selection;
  /** Reports whether a workspace is shown. @default all are */
  readonly isShown?: (workspace: Workspace) => boolean;
  /** Redacts secrets in texts. */
  readonly redact: (text: string) => string;
  readonly logger?: Logger | undefined;
}

/** Called for each change; `inList` is true if the row of the list has changed too. Must not throw. */
export type PageListener = (key: string, inList: boolean) => void;

/** Workspaces that the page shows, kept current by a watch. */
export interface PageSource {
  /** Follows the workspaces until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves once all workspaces are known, or with the missing right while the API server forbids to list or watch them. */
  firstResult(): Promise<string | undefined>;
  /** Keys of all workspaces. */
  keys(): readonly string[];
  /** Returns the row of a workspace as JSON; undefined for a deleted one. */
  rowText(key: string): string | undefined;
  workspace(key: string): Workspace | undefined;
  readonly history: WalkHistory;
  /** Adds a listener; returns a function that removes it. */
  listen(listener: PageListener): () => void;
}

const refusalText = ({ message }: ForbiddenError): string =>
  `the page has no workspaces to show, since its own client may not list or watch them: ${message}; grant that, sequencer manifests prints the rights`;

/** Creates a source; it watches once it runs. */
export function createPageSource(options: PageSourceOptions): PageSource {
  const { client, clock, selection = {}, isShown = () => true, redact, logger } = options;
  const store = new Store<Workspace>();
  const rows = new Map<string, string>();
  const history = new WalkHistory();
  const listeners = new Set<PageListener>();

  const onChange = ({ type, key, object }: Change<Workspace>): void => {
    const former = rows.get(key);
    if (type === 'deleted' || !isShown(object)) {
      history.forget(key);
      rows.delete(key);
    } else {
      history.record(key, object, clock.now());
      rows.set(key, JSON.stringify(rowOf(object, redact)));
    }
    for (const listener of listeners) listener(key, rows.get(key) !== former);
  };
  let refusal = Promise.withResolvers<string>();
  let isRefused = false;
  const reflector = createReflector({
    ...{ client, kind: Workspace, store, selection, clock, logger, onChange },
    onFailure(error) {
      if (isRefused) refusal = Promise.withResolvers();
      isRefused = error instanceof ForbiddenError;
      if (error instanceof ForbiddenError) refusal.resolve(refusalText(error));
    },
  });

  return {
    run: (signal) => reflector.run(signal),
    firstResult: () => Promise.race([reflector.synced.then(() => undefined), refusal.promise]),
    keys: () => [...rows.keys()],
    rowText: (key) => rows.get(key),
    workspace: (key) => (rows.has(key) ? store.get(parseKey(key)) : undefined),
    history,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
