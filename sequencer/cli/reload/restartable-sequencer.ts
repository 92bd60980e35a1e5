/** A sequencer that can be replaced while its cluster and objects stay. */

import type { Logger } from 'pino';
import {
  type Client,
  errorOf,
  type GuardTimes,
  type Integration,
  messageOf,
  type SecretRegistry,
  systemClock,
} from '../../../sdk/index.ts';
import { createSequencer, type Sequencer } from '../../run/sequencer.ts';
import { defaultDrain, grace } from '../../run/serving.ts';
import { runnableGroup } from '../../run/shards.ts';
import { withStandIns } from '../../tenants/tenant-integration.ts';
import type { Config } from '../args/config.ts';

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

/** Part of a config that is started: integrations, types that are opened to tenants, and runnables besides the sequencer (both none by default). */
export type RestartableConfig = Pick<Config, 'integrations'> &
  Partial<Pick<Config, 'tenantIntegrations' | 'runnables'>>;

/** Sequencers, one after the other. */
export interface RestartableSequencer extends AsyncDisposable {
  /** Integrations of the one that runs, and those that stand for the types that it opens to tenants. */
  readonly integrations: readonly Integration[];
  /** Config of the one that runs. */
  readonly config: RestartableConfig;
  /** Aborts, with the reason, when one ends by itself. */
  readonly broken: AbortSignal;
  /** The one that runs. */
  readonly sequencer: Pick<Sequencer, 'health' | 'limits'> | undefined;
  /** Cuts off the one that runs, as if its process had died: none of its requests is sent or answered from now on. Nothing is started in its place. */
  kill(): Promise<void>;
  /**
   * Starts a sequencer, and the other runnables; the former one, if any, ends first, with what it has begun. @throws for integrations that it
   * refuses; the former one continues
   */
  start(config: RestartableConfig): Promise<void>;
}

interface Started {
  readonly sequencer: Sequencer;
  readonly config: RestartableConfig;
  end(): Promise<void>;
  kill(): Promise<void>;
}

/** Prepares a sequencer with a client of its own; it runs when the returned function is called. */
function prepared(
  { connect, logger, secrets, className, times, say }: RestartableSequencerOptions,
  config: RestartableConfig,
  broken: AbortController,
): () => Started {
  const { integrations, tenantIntegrations, runnables = [] } = config;
  const client = connect();
  const own = logger.child({});
  const sequencer = createSequencer({
    client,
    integrations,
    ...(tenantIntegrations && { tenantIntegrations }),
    logger: own,
    secrets,
    ...(className !== undefined && { className }),
    ...(times !== undefined && { times }),
  });
  secrets.add(...runnables.flatMap((one) => one.secrets ?? []));
  const others = runnables.map((one) => one.create({ client, clock: systemClock, logger: own }));
  return () => {
    const ended = new AbortController();
    const main = { name: 'sequencer', run: (signal: AbortSignal) => sequencer.run(signal) };
    const running = runnableGroup(main, others, defaultDrain + grace)
      .run(ended.signal)
      .catch((error: unknown) => {
        if (!ended.signal.aborted) broken.abort(errorOf(error));
        else if (own.level !== 'silent') say(`the previous code failed to stop: ${messageOf(error)}`);
      })
      .finally(() => client.close());
    return {
      sequencer,
      config,
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
      return current === undefined ? [] : withStandIns(current.config);
    },
    get config() {
      return current?.config ?? { integrations: [] };
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
    async start(config) {
      const next = prepared(options, config, broken);
      await current?.end();
      if (!disposed) current = next();
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await current?.end();
    },
  };
}
