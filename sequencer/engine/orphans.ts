/** Handles claims of integrations that are not registered. */

import { mirrorPatch, type ProviderHost } from '../../sdk/host/index.ts';
import { createController, group, type Integration, keyOf, removeFinalizer, type Workspace } from '../../sdk/index.ts';
import { patched, scopeOf } from './moves.ts';
import { isClaimed } from './shared-condition.ts';

const prefix = `${group}/`;

/** Returns the names of integrations that have a finalizer on the workspace and are not registered, so that it would never be released. */
export const unregisteredClaims = (
  { metadata: { finalizers = [] } }: Workspace,
  registered: ReadonlySet<string>,
): readonly string[] =>
  finalizers
    .filter((finalizer) => finalizer.startsWith(prefix))
    .map((finalizer) => finalizer.slice(prefix.length))
    .filter((name) => !registered.has(name));

/** Policy for claims of unregistered integrations. */
export interface OrphanPolicy {
  /** Registered integrations. */
  readonly integrations: readonly Integration[];
  /** Names whose claims are released; their external objects stay. */
  readonly orphan: ReadonlySet<string>;
  /** Names that were logged already; updated. */
  readonly told: Set<string>;
}

function tell(
  host: ProviderHost,
  workspace: Workspace,
  { name, finalizer, told }: { readonly name: string; readonly finalizer: string; readonly told: Set<string> },
): void {
  const advice = `register it, or give its claim up with --orphan ${name}`;
  host.events.event(
    workspace,
    'Warning',
    'UnregisteredClaim',
    `${finalizer} is held by an integration that is not registered here; ${advice}`,
  );
  if (told.has(name)) return;
  told.add(name);
  host.logger?.warn(
    { integration: name, workspace: keyOf(workspace.metadata), advice },
    'claims are held by an integration that is not registered',
  );
}

/** Releases the claims that the policy names and reports the others. @returns the updated workspace */
export async function settleOrphans(
  host: ProviderHost,
  workspace: Workspace,
  { integrations, orphan, told }: OrphanPolicy,
): Promise<Workspace> {
  const registered = new Set(integrations.map(({ name }) => name));
  let current = workspace;
  for (const name of unregisteredClaims(workspace, registered)) {
    const finalizer = `${prefix}${name}`;
    if (!orphan.has(name)) {
      tell(host, current, { name, finalizer, told });
      continue;
    }
    current = await patched(host, current, { operations: removeFinalizer(current, finalizer), status: false });
    host.events.event(
      current,
      'Warning',
      'Orphaned',
      `the claim of ${name} was given up: what it made outside stays there`,
    );
  }
  return current;
}

/** Releases external objects as the policy demands, without calling the integration. */
export async function orphanObjects(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const controller = createController(host, workspace, scopeOf(workspace, integration, true));
  await controller.orphanAll();
  if (isClaimed(controller.workspace, integration)) return controller.workspace; // its release removes the mirror
  const operations = mirrorPatch(controller.workspace, integration.condition, undefined);
  return patched(host, controller.workspace, { operations, status: false });
}
