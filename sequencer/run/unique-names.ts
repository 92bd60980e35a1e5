/** Names that one workspace alone should have: finds the others that ask for one, and walks them when it is given up. */

import type { ProviderHost } from '../../sdk/host/index.ts';
import {
  claimOf,
  type InformerController,
  type Integration,
  keyOf,
  objectKeyOf,
  type Reconciler,
  type Workspace,
} from '../../sdk/index.ts';
import { claimPrefix } from '../tenants/config-claim.ts';

/** Name of the index of workspaces by the names that they ask for. */
export const uniqueNameIndex = 'uniqueName';

/** Longest name in characters, and most names of one integration for one workspace; those beyond belong to no workspace. */
const most = { characters: 1024, names: 256 };

/** Returns the names of an integration for a workspace; none while a function of it fails, which its condition tells. */
function namesBy(integration: Integration, workspace: Workspace): readonly string[] {
  try {
    if (integration.uniqueNames === undefined || integration.handles(workspace) !== true) return [];
    const names = integration.uniqueNames(workspace).slice(0, most.names);
    return names.filter((name) => typeof name === 'string' && name.length <= most.characters);
  } catch {
    return [];
  }
}

const indexValueOf = (claim: string, name: string): string => `${claim} ${name}`;

/** Returns the function that lists all names that a workspace asks for, as values of the index. */
export const uniqueNamesOf =
  (integrations: readonly Integration[]) =>
  (workspace: Workspace): readonly string[] =>
    integrations.flatMap((integration) =>
      namesBy(integration, workspace).map((name) => indexValueOf(claimOf(integration.name), name)),
    );

const ageOf = ({ metadata: { creationTimestamp = '', uid = '' } }: Workspace): string => `${creationTimestamp} ${uid}`;

/** Returns the claim under which names are listed: of a config of tenants that of its type, so that workspaces of all its configs find one another. */
function listingClaimOf(claim: string, types: readonly string[]): string {
  const type = types.find((one) => claim.startsWith(claimOf(claimPrefix(one))));
  return type === undefined ? claim : claimOf(type);
}

/**
 * Returns the function by which a controller finds the others that ask for a name, the oldest first.
 * @param types integration types that are opened to tenants
 */
export const othersWithIn =
  (store: () => InformerController<Workspace>['store'], types: readonly string[] = []): ProviderHost['othersWith'] =>
  (claim, { metadata: { uid } }, name) =>
    store()
      .by(uniqueNameIndex, indexValueOf(listingClaimOf(claim, types), name))
      .filter((other) => other.metadata.uid !== uid)
      .toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));

/** Enqueues the others that ask for a name, once a workspace asks for it no more or is gone. */
export function wakingOthers(
  walking: () => Pick<InformerController<Workspace>, 'store' | 'enqueue'>,
  namesOf: (workspace: Workspace) => readonly string[],
  walks: Reconciler<Workspace>,
): Reconciler<Workspace> {
  const known = new Map<string, readonly string[]>();
  return (request) => {
    const key = keyOf(request.key);
    const names = request.object === undefined ? [] : namesOf(request.object);
    const givenUp = (known.get(key) ?? []).filter((name) => !names.includes(name));
    if (names.length === 0) known.delete(key);
    else known.set(key, names);
    const walked = walking();
    for (const name of givenUp)
      for (const other of walked.store.by(uniqueNameIndex, name)) walked.enqueue(objectKeyOf(other));
    return walks(request);
  };
}
