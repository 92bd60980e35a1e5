import { group, keyOf, type ProviderHost, removeFinalizer, type Workspace } from '../sdk/index.ts';
import { patched } from './moves.ts';

const prefix = `${group}/`;

/** Names of integrations that hold a claim on the workspace and are not registered: nobody here can release it. */
export const unregisteredClaims = (
  { metadata: { finalizers = [] } }: Workspace,
  registered: ReadonlySet<string>,
): readonly string[] =>
  finalizers
    .filter((finalizer) => finalizer.startsWith(prefix))
    .map((finalizer) => finalizer.slice(prefix.length))
    .filter((name) => !registered.has(name));

/** What is done about claims that nobody can release. */
export interface OrphanPolicy {
  /** Names of the registered integrations. */
  readonly registered: ReadonlySet<string>;
  /** Names whose claims are given up: what exists outside stays there. */
  readonly orphan: ReadonlySet<string>;
  /** Names that the log has told of already; added to. */
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

/** Gives up the claims that the policy says so for, and tells about the others. @returns the workspace as it is then */
export async function settleOrphans(
  host: ProviderHost,
  workspace: Workspace,
  { registered, orphan, told }: OrphanPolicy,
): Promise<Workspace> {
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
