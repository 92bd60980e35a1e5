/** Runnables that a config adds to the operator, besides the sequencer. */

import type { Logger } from 'pino';
import type { Client } from './client/client.ts';
import type { Clock } from './clock.ts';
import type { Runnable } from './operator/operator.ts';
import type { PolicyRule } from './provider/contract/permissions.ts';

/** Dependencies of a runnable. */
export interface RunnableHost {
  /** Client that stays open when the runnable ends. */
  readonly client: Client;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** Runnable of a config: it runs in the process that walks, while that walks. */
export interface ConfiguredRunnable {
  readonly name: string;
  /** Permissions in the namespaces of the workspaces: checked at the start, and granted by `sequencer manifests`. */
  readonly permissions: readonly PolicyRule[];
  /** TCP ports that it serves, such as that of a webhook: `sequencer manifests` opens them. @default none */
  readonly ports?: readonly number[];
  /** Addresses that it connects to besides the API server, as those of an integration; `[]`: none. @default not known */
  readonly endpoints?: readonly string[] | undefined;
  /** Values to redact in logs. @default [] */
  readonly secrets?: readonly string[];
  /** Creates the runnable, each time that this process starts to walk workspaces. */
  create(host: RunnableHost): Runnable;
}
