/** Index of unique names, such as hosts: finds the workspaces that request one, and walks them when it is released. */

import { handlesOf, ignoreRejection, maxUniqueNames, type ProviderHost } from '../../sdk/host/index.ts';
import {
  claimOf,
  type InformerController,
  type Integration,
  keyOf,
  objectKeyOf,
  type Reconciler,
  type Workspace,
} from '../../sdk/index.ts';
import { claimPrefix } from '../tenants/config-integration-name.ts';

/** Name of the index of workspaces by their requested names. */
export const uniqueNameIndex = 'uniqueName';

/** Returns the names of an integration for a workspace, those beyond the limits left out; none while a function of it fails. Its condition reports both. */
function namesBy(integration: Integration, workspace: Workspace): readonly string[] {
  try {
    if (integration.uniqueNames === undefined || !handlesOf(integration, workspace)) return [];
    const names: unknown = integration.uniqueNames(workspace);
    ignoreRejection(names);
    if (!Array.isArray(names)) return [];
    const { characters, names: most } = maxUniqueNames;
    return names.slice(0, most).filter((name) => typeof name === 'string' && name.length <= characters);
  } catch {
    return [];
  }
}

const indexValueOf = (claim: string, name: string): string => `${claim} ${name}`;

/** Returns the claim under which the names of an integration are listed; integrations with the same function share the claim of the first. */
function listingClaimOf(integration: Integration, all: readonly Integration[]): string {
  const first = all.find(({ uniqueNames }) => uniqueNames !== undefined && uniqueNames === integration.uniqueNames);
  return claimOf((first ?? integration).name);
}

/** Returns the function from a workspace to its requested names, as values of the index. */
export const uniqueNamesOf =
  (integrations: readonly Integration[]) =>
  (workspace: Workspace): readonly string[] =>
    integrations.flatMap((integration) =>
      namesBy(integration, workspace).map((name) => indexValueOf(listingClaimOf(integration, integrations), name)),
    );

const ageOf = ({ metadata: { creationTimestamp = '', uid = '' } }: Workspace): string => `${creationTimestamp} ${uid}`;

/** Integrations with unique names. */
interface NamingIntegrations {
  /** Integrations of the config file, and the representatives of types. */
  readonly integrations: readonly Integration[];
  /** Types that are opened to tenants. @default none */
  readonly types?: readonly string[];
}

/** Returns the integration of a claim; for a tenant's config the representative of its type, so that names are unique across all its configs. */
function claimant(claim: string, { integrations, types = [] }: NamingIntegrations): Integration | undefined {
  const type = types.find((one) => claim.startsWith(claimOf(claimPrefix(one))));
  return integrations.find(({ name }) => (type === undefined ? claimOf(name) === claim : name === type));
}

/** Returns the function that finds the other workspaces that request a name, oldest first. */
export const othersWithIn =
  (store: () => InformerController<Workspace>['store'], naming: NamingIntegrations): ProviderHost['othersWith'] =>
  (claim, { metadata: { uid } }, name) => {
    const integration = claimant(claim, naming);
    if (integration === undefined) return [];
    return store()
      .by(uniqueNameIndex, indexValueOf(listingClaimOf(integration, naming.integrations), name))
      .filter((other) => other.metadata.uid !== uid)
      .toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
  };

/** Enqueues the other workspaces that request a name after a workspace has released it or was deleted. */
export function enqueuingOthers(
  walking: () => Pick<InformerController<Workspace>, 'store' | 'enqueue'>,
  namesOf: (workspace: Workspace) => readonly string[],
  walks: Reconciler<Workspace>,
): Reconciler<Workspace> {
  const known = new Map<string, readonly string[]>();
  return (request) => {
    const key = keyOf(request.key);
    const names = request.object === undefined ? [] : namesOf(request.object);
    const released = (known.get(key) ?? []).filter((name) => !names.includes(name));
    if (names.length === 0) known.delete(key);
    else known.set(key, names);
    const walked = walking();
    for (const name of released)
      for (const other of walked.store.by(uniqueNameIndex, name)) walked.enqueue(objectKeyOf(other));
    return walks(request);
  };
}
