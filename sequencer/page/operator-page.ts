/** The page of an operator: read-only, for users of the cluster. */

import type { Logger } from 'pino';
import type { Client, Clock, Integration, SecretRegistry, Selection, Workspace } from '../../sdk/index.ts';
import { createPageServer, type PageServer } from './page-server.ts';
import { createPageSource } from './page-source.ts';
import { processViewOf, type SequencerState } from './process-view.ts';
import { accessByReview } from './review-access.ts';

/** Options of {@link createOperatorPage}. */
export interface OperatorPageOptions {
  /** TCP port; 0 picks any free one. */
  readonly port: number;
  /** Address to listen on. @default 127.0.0.1 */
  readonly host?: string | undefined;
  readonly client: Client;
  readonly clock: Clock;
  readonly integrations: readonly Integration[];
  /** Namespace and labels of the workspaces. */
  readonly selection: Selection;
  /** Reports whether a workspace is shown. */
  readonly isShown: (workspace: Workspace) => boolean;
  readonly secrets: SecretRegistry;
  /** Returns the state of the sequencer. */
  readonly state: () => SequencerState;
  readonly logger?: Logger | undefined;
}

/** Creates the page of an operator. It changes nothing: it has no actions, and its users see the workspaces that they may list. */
export function createOperatorPage(options: OperatorPageOptions): PageServer {
  const { port, host, client, clock, integrations, selection, isShown, secrets, state, logger } = options;
  const redact = (text: string): string => secrets.redact(text);
  return createPageServer({
    port,
    ...(host !== undefined && { host }),
    mode: 'run',
    access: accessByReview({ client, clock, namespace: selection.namespace }),
    source: createPageSource({ client, clock, selection, isShown, redact, logger }),
    client,
    integrations: () => integrations,
    process: () => processViewOf(state(), integrations),
    redact,
    clock,
    logger,
  });
}
