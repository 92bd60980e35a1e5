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

/** Runnable of a config: it runs in the process that reconciles workspaces (the leader), as long as that does. */
export interface ConfiguredRunnable {
  readonly name: string;
  /** Required permissions in the namespaces of the workspaces: checked at the start, and granted by the Roles of `sequencer manifests`. */
  readonly permissions: readonly PolicyRule[];
  /** TCP ports that it serves, such as that of a webhook; `sequencer manifests` adds them to the Service and the NetworkPolicy. @default none */
  readonly ports?: readonly number[];
  /** Addresses that it connects to besides the API server, as those of an integration; `[]`: none. @default not known */
  readonly endpoints?: readonly string[] | undefined;
  /** Values to redact in logs. @default [] */
  readonly secrets?: readonly string[];
  /** Creates the runnable; called each time that this process starts to reconcile workspaces. */
  create(host: RunnableHost): Runnable;
}
