/** Ways to prove names to an authority. */

import type { ProviderController, Workspace } from '../../sdk/index.ts';
import type { ChallengeType, NameChallenge } from './authority.ts';

/** State of a workspace's names: theirs, or the reason for which they are not (yet). */
export type NameClaim = { readonly status: 'Error' | 'Waiting'; readonly reason: string } | undefined;

/** Proof of names: publication of challenge responses, and the ownership of names by workspaces. */
export interface NameProof {
  readonly type: ChallengeType;
  /** Explains why a workspace does not own these names; undefined when it does. Pure. */
  claimOf(workspace: Workspace, names: readonly string[]): NameClaim;
  /** Publishes the responses to these challenges in place of previous ones; an empty list removes them. */
  show(controller: ProviderController, challenges: readonly NameChallenge[]): Promise<void>;
  /** Describes the response that the authority could not read yet; undefined when all are readable. */
  missing(controller: ProviderController, challenges: readonly NameChallenge[]): Promise<string | undefined>;
}

const recordPrefix = '_acme-challenge.';

/** Returns the type of a recorded challenge. */
export const typeOfChallenge = ({ name }: NameChallenge): ChallengeType =>
  name.startsWith(recordPrefix) ? 'dns-01' : 'http-01';
