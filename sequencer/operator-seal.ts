/** Loads the operator's seal from its Secret. */

import type { Logger } from 'pino';
import {
  type Client,
  type Clock,
  createSeal,
  loadSeal,
  type Seal,
  sealSecretName,
  UnreachableError,
} from '../sdk/index.ts';

/** Options of {@link operatorSeal}. */
export interface OperatorSealOptions {
  readonly client: Client;
  /** Namespace of the Secret `sequencer-seal`. */
  readonly operatorNamespace: string;
  /** Seal to use instead of the Secret's. */
  readonly seal?: Seal | undefined;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** Seal of one operator, without a key until it is loaded. */
export interface OperatorSeal {
  current(): Seal;
  /** Reads the keys, with retries until the API server answers. @throws its refusal, or the signal's reason */
  load(signal: AbortSignal): Promise<void>;
}

const longestDelay = 30_000;

/** Creates the seal of the operator's Secret. */
export function operatorSeal({ client, operatorNamespace, seal, clock, logger }: OperatorSealOptions): OperatorSeal {
  let current = seal ?? createSeal('', []);
  const secret = `${operatorNamespace}/${sealSecretName}`;
  return {
    current: () => current,
    async load(signal) {
      for (let delay = 500; seal === undefined; delay = Math.min(2 * delay, longestDelay)) {
        try {
          current = await loadSeal(client, operatorNamespace);
          if (current.sign('') === undefined)
            logger?.warn(
              { secret },
              'no right to get or create the Secret of the seal: ids in annotations are not believed',
            );
          return;
        } catch (error) {
          if (!(error instanceof UnreachableError) || signal.aborted) throw error;
          logger?.warn({ err: error, secret }, 'the Secret of the seal cannot be read yet');
        }
        await clock.sleep(delay, signal);
      }
    },
  };
}
