/** Story that `sequencer dev` plays in place of files: a config exports one as `walkthrough`. */

import type { Client } from '../../sdk/index.ts';

/** Surroundings of a {@link Walkthrough}. */
export interface WalkthroughStage {
  /** Client of the cluster that is walked. */
  readonly client: Client;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
  /** Aborts when the user wants to stop, or time is over. */
  readonly signal: AbortSignal;
}

/** Story with a beginning and an end, for workspaces that come from elsewhere, such as from pull requests. */
export interface Walkthrough {
  /** Begins; resolves when everything exists. */
  begin(stage: WalkthroughStage): Promise<void>;
  /** Ends, after a beginning that failed too; resolves with the number of things that are left, by what they are. */
  end(stage: WalkthroughStage): Promise<Readonly<Record<string, number>>>;
}
