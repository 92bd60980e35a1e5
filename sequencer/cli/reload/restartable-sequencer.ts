/** Sequencer that can be restarted while its cluster and objects stay. */

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
import { runnableGroup } from '../../run/runnable-group.ts';
import { createSequencer, type Sequencer } from '../../run/sequencer.ts';
import { defaultDrain, grace } from '../../run/shutdown.ts';
import { withRepresentatives } from '../../tenants/tenant-integration.ts';
import type { Config } from '../args/config.ts';

/** Options of {@link createRestartableSequencer}. */
export interface RestartableSequencerOptions {
  /** Creates a client for one sequencer, which closes it when it ends. */
  readonly connect: () => Client;
  readonly logger: Logger;
  readonly secrets: SecretRegistry;
  /** Class of the workspaces. @default those that name none */
  readonly className?: string | undefined;
  /** Durations of guards. @default the sequencer's */
  readonly times?: Partial<GuardTimes> | undefined;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
}

/** Part of a config that is started: integrations, types that are opened to tenants, and runnables besides the sequencer (both none by default). */
export type RestartableConfig = Pick<Config, 'integrations'> &
  Partial<Pick<Config, 'tenantIntegrations' | 'runnables'>>;

/** Sequencers, one after the other. */
export interface RestartableSequencer extends AsyncDisposable {
  /** Integrations of the running sequencer, and the representatives of its types for tenants. */
  readonly integrations: readonly Integration[];
  /** Config of the running sequencer. */
  readonly config: RestartableConfig;
  /** Aborts with the reason when the sequencer ends without being stopped. */
  readonly broken: AbortSignal;
  /** Running sequencer. */
  readonly sequencer: Pick<Sequencer, 'health' | 'limits'> | undefined;
  /** Simulates a crash of the running sequencer: none of its requests is sent or answered any more. No replacement is started. */
  kill(): Promise<void>;
  /**
   * Starts a sequencer and the other runnables, after a running one has ended with its attempts. @throws for invalid integrations; the running one
   * continues
   */
  start(config: RestartableConfig): Promise<void>;
}

interface Started {
  readonly sequencer: Sequencer;
  readonly config: RestartableConfig;
  end(): Promise<void>;
  kill(): Promise<void>;
}

/** Prepares a sequencer with its own client; the returned function runs it. */
function prepare(
  { logger, secrets, className, times, say }: RestartableSequencerOptions,
  {
    client,
    config,
    broken,
  }: { readonly client: Client; readonly config: RestartableConfig; readonly broken: AbortController },
): () => Started {
  const { integrations, tenantIntegrations, runnables = [] } = config;
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

/** Creates a restartable sequencer, initially stopped. Disposing it stops the running one and prevents further starts. */
export function createRestartableSequencer(options: RestartableSequencerOptions): RestartableSequencer {
  const broken = new AbortController();
  let current: Started | undefined;
  let disposed = false;

  return {
    get integrations() {
      return current === undefined ? [] : withRepresentatives(current.config);
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
      const client = options.connect();
      try {
        const run = prepare(options, { client, config, broken });
        await current?.end();
        if (disposed) await client.close();
        else current = run();
      } catch (error) {
        await client.close();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await current?.end();
    },
  };
}
