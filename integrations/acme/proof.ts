/** Ways to prove names to an authority. */

import type { ProviderController, Workspace } from '../../sdk/index.ts';
import type { ChallengeType, NameChallenge } from './authority.ts';

/** State of a workspace's names: theirs, or the reason for which they are not (yet). */
export type NameClaim = { readonly status: 'Error' | 'Waiting'; readonly reason: string } | undefined;

/** Way to prove names: what is shown, and which workspaces may have a name. */
export interface NameProof {
  readonly type: ChallengeType;
  /** Explains why a workspace does not hold these names; undefined when it does. Pure. */
  claimOf(workspace: Workspace, names: readonly string[]): NameClaim;
  /** Has the answers to these challenges shown in place of those to former ones; without any, they are removed. */
  show(controller: ProviderController, challenges: readonly NameChallenge[]): Promise<void>;
  /** Says what the authority would not see yet; undefined when it would see all answers. */
  missing(controller: ProviderController, challenges: readonly NameChallenge[]): Promise<string | undefined>;
}

const recordPrefix = '_acme-challenge.';

/** Returns the type of a recorded challenge. */
export const typeOfChallenge = ({ name }: NameChallenge): ChallengeType =>
  name.startsWith(recordPrefix) ? 'dns-01' : 'http-01';
