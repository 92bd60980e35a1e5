/** A sequencer that can be replaced while its cluster and objects stay. */

import type { Logger } from 'pino';
import { type Client, errorOf, type Integration, messageOf, type SecretRegistry } from '../../../sdk/index.ts';
import { createSequencer } from '../../run/sequencer.ts';

/** Options of {@link createRestartableSequencer}. */
export interface RestartableSequencerOptions {
  readonly client: Client;
  readonly logger: Logger;
  readonly secrets: SecretRegistry;
  /** Class of the workspaces. @default those that name none */
  readonly className?: string | undefined;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
}

/** Sequencers, one after the other. */
export interface RestartableSequencer extends AsyncDisposable {
  /** Integrations of the one that runs. */
  readonly integrations: readonly Integration[];
  /** Aborts, with the reason, when one ends by itself. */
  readonly broken: AbortSignal;
  /** Starts a sequencer; the former one, if any, ends first, with what it has begun. @throws for integrations that it refuses; the former one goes on */
  start(integrations: readonly Integration[]): Promise<void>;
}

interface Started {
  readonly integrations: readonly Integration[];
  end(): Promise<void>;
}

/** Creates the place of a sequencer; none runs yet. Disposing ends the one that runs, and none is started after that. */
export function createRestartableSequencer({
  client,
  logger,
  secrets,
  className,
  say,
}: RestartableSequencerOptions): RestartableSequencer {
  const broken = new AbortController();
  let current: Started | undefined;
  let disposed = false;

  const started = (integrations: readonly Integration[]): (() => Started) => {
    const sequencer = createSequencer({
      client,
      integrations,
      logger,
      secrets,
      ...(className !== undefined && { className }),
    });
    return () => {
      const ended = new AbortController();
      const running = sequencer.run(ended.signal).catch((error: unknown) => {
        if (!ended.signal.aborted) broken.abort(errorOf(error));
        else say(`the former code failed to stop: ${messageOf(error)}`);
      });
      return {
        integrations,
        end() {
          ended.abort();
          return running;
        },
      };
    };
  };

  return {
    get integrations() {
      return current?.integrations ?? [];
    },
    broken: broken.signal,
    async start(integrations) {
      const next = started(integrations);
      await current?.end();
      if (!disposed) current = next();
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await current?.end();
    },
  };
}
