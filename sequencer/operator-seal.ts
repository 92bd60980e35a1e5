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

/** Where the operator's seal is kept. */
export interface OperatorSealOptions {
  readonly client: Client;
  /** Namespace of the Secret `sequencer-seal`. */
  readonly operatorNamespace: string;
  /** The seal itself, instead of that Secret's. */
  readonly seal?: Seal | undefined;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** The seal of one operator: without a key until it is loaded. */
export interface OperatorSeal {
  current(): Seal;
  /** Asks the API server for the keys until it answers. @throws what it refuses with, or the signal's reason */
  load(signal: AbortSignal): Promise<void>;
}

const longestDelay = 30_000;

/** The seal of the operator's own Secret. */
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
