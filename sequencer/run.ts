import { createRequire } from 'node:module';
import { createClient, ensureCrds, loadConnection, Workspace } from '../sdk/index.ts';
import { createSequencer, type Sequencer, type SequencerOptions } from './sequencer.ts';

/** What {@link runSequencer} takes: the options of a sequencer, and where its cluster is. */
export interface RunOptions extends Omit<SequencerOptions, 'client'> {
  /** Stops it: running attempts come to an end within `drain`, then the promise resolves. */
  readonly signal: AbortSignal;
  /** Path of a kubeconfig file. @default $KUBECONFIG, the pod's service account, or ~/.kube/config */
  readonly kubeconfig?: string;
  /** A context of that kubeconfig. @default its current one */
  readonly context?: string;
  /** Told once it follows all workspaces, with its health to ask for. */
  readonly onReady?: (sequencer: Pick<Sequencer, 'health'>) => void;
}

/** The version of this package: an older replica leaves the definition of a newer one alone. */
function ownRelease(): string {
  const { version } = createRequire(import.meta.url)('workspace-sequencer/package.json') as {
    readonly version: string;
  };
  return version;
}

/**
 * Connects, makes sure that the Workspace kind is served, and walks workspaces until the signal aborts.
 *
 * @throws UserError for a kubeconfig that cannot be used or integrations that contradict each other, UnreachableError, ForbiddenError,
 * DrainError if attempts did not end in time
 */
export async function runSequencer({ signal, kubeconfig, context, onReady, ...options }: RunOptions): Promise<void> {
  const connection = await loadConnection({
    env: process.env,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const client = createClient({ connection, userAgent: 'sequencer' });
  try {
    const sequencer = createSequencer({ ...options, client });
    const outcomes = await ensureCrds(client, [Workspace], { signal, release: ownRelease() });
    for (const { name, outcome, notice } of outcomes)
      options.logger?.info({ name, outcome, notice }, 'definition served');
    void sequencer.synced.then(
      () => onReady?.(sequencer),
      () => undefined,
    );
    await sequencer.run(signal);
  } finally {
    await client.close();
  }
}
