/** Scripted demo that `sequencer dev` runs instead of manifests: the export `walkthrough` of a config. */

import type { Client } from '../../sdk/index.ts';

/** Surroundings of a {@link Walkthrough}. */
export interface WalkthroughStage {
  /** Client of the cluster that is walked. */
  readonly client: Client;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
  /** Aborts when the user stops the run, or at the timeout. */
  readonly signal: AbortSignal;
}

/** Scripted demo for workspaces that are not applied from files, such as those of pull requests. */
export interface Walkthrough {
  /** Starts the demo; resolves when everything exists. */
  begin(stage: WalkthroughStage): Promise<void>;
  /** Ends the demo, also after a failed start; resolves with the number of remaining objects by kind. */
  end(stage: WalkthroughStage): Promise<Readonly<Record<string, number>>>;
}
