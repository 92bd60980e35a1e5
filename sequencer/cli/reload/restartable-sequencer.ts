/** A sequencer that can be replaced while its cluster and objects stay. */

import type { Logger } from 'pino';
import {
  type Client,
  errorOf,
  type GuardTimes,
  type Integration,
  messageOf,
  type SecretRegistry,
} from '../../../sdk/index.ts';
import { createSequencer, type Sequencer } from '../../run/sequencer.ts';

/** Options of {@link createRestartableSequencer}. */
export interface RestartableSequencerOptions {
  /** Connects a sequencer by connections of its own; it closes its client when it ends. */
  readonly connect: () => Client;
  readonly logger: Logger;
  readonly secrets: SecretRegistry;
  /** Class of the workspaces. @default those that name none */
  readonly className?: string | undefined;
  /** Lifetimes of guards. @default those of the sequencer */
  readonly times?: Partial<GuardTimes> | undefined;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
}

/** Sequencers, one after the other. */
export interface RestartableSequencer extends AsyncDisposable {
  /** Integrations of the one that runs. */
  readonly integrations: readonly Integration[];
  /** Aborts, with the reason, when one ends by itself. */
  readonly broken: AbortSignal;
  /** The one that runs. */
  readonly sequencer: Pick<Sequencer, 'health' | 'limits'> | undefined;
  /** Cuts off the one that runs, as if its process had died: none of its requests is sent or answered from now on. Nothing is started in its place. */
  kill(): Promise<void>;
  /** Starts a sequencer; the former one, if any, ends first, with what it has begun. @throws for integrations that it refuses; the former one goes on */
  start(integrations: readonly Integration[]): Promise<void>;
}

interface Started {
  readonly sequencer: Sequencer;
  readonly integrations: readonly Integration[];
  end(): Promise<void>;
  kill(): Promise<void>;
}

/** Prepares a sequencer with a client of its own; it runs when the returned function is called. */
function prepared(
  { connect, logger, secrets, className, times, say }: RestartableSequencerOptions,
  integrations: readonly Integration[],
  broken: AbortController,
): () => Started {
  const client = connect();
  const own = logger.child({});
  const sequencer = createSequencer({
    client,
    integrations,
    logger: own,
    secrets,
    ...(className !== undefined && { className }),
    ...(times !== undefined && { times }),
  });
  return () => {
    const ended = new AbortController();
    const running = sequencer
      .run(ended.signal)
      .catch((error: unknown) => {
        if (!ended.signal.aborted) broken.abort(errorOf(error));
        else if (own.level !== 'silent') say(`the former code failed to stop: ${messageOf(error)}`);
      })
      .finally(() => client.close());
    return {
      sequencer,
      integrations,
      end() {
        ended.abort();
        return running;
      },
      async kill() {
        own.level = 'silent';
        await client.close();
        ended.abort();
      },
    };
  };
}

/** Creates the place of a sequencer; none runs yet. Disposing ends the one that runs, and none is started after that. */
export function createRestartableSequencer(options: RestartableSequencerOptions): RestartableSequencer {
  const broken = new AbortController();
  let current: Started | undefined;
  let disposed = false;

  return {
    get integrations() {
      return current?.integrations ?? [];
    },
    get sequencer() {
      return current?.sequencer;
    },
    broken: broken.signal,
    async kill() {
      const dying = current;
      current = undefined;
      await dying?.kill();
    },
    async start(integrations) {
      const next = prepared(options, integrations, broken);
      await current?.end();
      if (!disposed) current = next();
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await current?.end();
    },
  };
}
