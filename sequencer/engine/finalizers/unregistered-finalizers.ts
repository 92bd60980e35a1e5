/** Handles claims of integrations that are not registered. */

import type { ProviderHost } from '../../../sdk/host/index.ts';
import { group, type Integration, keyOf, removeFinalizer, type Workspace } from '../../../sdk/index.ts';
import { patchWorkspace } from '../workspace-patches.ts';

const prefix = `${group}/`;

/** Returns the names of integrations that have a finalizer on the workspace and are not registered, so that it would never be released. */
export const unregisteredFinalizers = (
  { metadata: { finalizers = [] } }: Workspace,
  registered: ReadonlySet<string>,
): readonly string[] =>
  finalizers
    .filter((finalizer) => finalizer.startsWith(prefix))
    .map((finalizer) => finalizer.slice(prefix.length))
    .filter((name) => !registered.has(name));

/** Policy for claims of unregistered integrations. */
export interface UnregisteredClaimPolicy {
  /** Registered integrations. */
  readonly integrations: readonly Integration[];
  /** Names whose claims are released; their external objects stay. */
  readonly orphan: ReadonlySet<string>;
  /** Names that were logged already; updated. */
  readonly logged: Set<string>;
}

/** Limit of the claims that an event names, and of the names that are logged: a user who may write a workspace may write any number of finalizers. */
const [maxNamed, maxLogged] = [3, 100];

/** Reports unregistered claims: in an event of the workspace, and in the log once for each name. */
function reportUnregisteredClaims(
  host: ProviderHost,
  workspace: Workspace,
  { names, logged }: Pick<UnregisteredClaimPolicy, 'logged'> & { readonly names: readonly string[] },
): void {
  const shown = names.slice(0, maxNamed).map((name) => `${prefix}${name}`);
  const rest = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  const held = names.length === 1 ? 'is held by an integration that is' : 'are held by integrations that are';
  const advice = `register it, or give its claim up with --orphan ${names[0]}`;
  const message = `${shown.join(', ')}${rest} ${held} not registered here; ${advice}`;
  host.events.event(workspace, 'Warning', 'UnregisteredClaim', message);
  for (const name of names) {
    if (logged.size >= maxLogged) return;
    if (logged.has(name)) continue;
    logged.add(name);
    host.logger?.warn(
      { integration: name, workspace: keyOf(workspace.metadata), advice: `register it, or use --orphan ${name}` },
      'claims are held by an integration that is not registered',
    );
  }
}

/** Releases the claims that the policy names and reports the others. @returns the updated workspace */
export async function releaseUnregisteredFinalizers(
  host: ProviderHost,
  workspace: Workspace,
  { integrations, orphan, logged }: UnregisteredClaimPolicy,
): Promise<Workspace> {
  const registered = new Set(integrations.map(({ name }) => name));
  const unregistered = unregisteredFinalizers(workspace, registered);
  const kept = unregistered.filter((name) => !orphan.has(name));
  if (kept.length > 0) reportUnregisteredClaims(host, workspace, { names: kept, logged });
  let current = workspace;
  for (const name of unregistered.filter((one) => orphan.has(one))) {
    const finalizer = `${prefix}${name}`;
    current = await patchWorkspace(host, current, { operations: removeFinalizer(current, finalizer), status: false });
    host.events.event(
      current,
      'Warning',
      'Orphaned',
      `the claim of ${name} was given up: what it made outside stays there`,
    );
  }
  return current;
}
