import {
  add,
  believedEntry,
  claimOf,
  hasFinalizer,
  type Integration,
  type JsonPatchOperation,
  type Mirror,
  mirrorAnnotation,
  newerFormat,
  type ProviderHost,
  pointer,
  RefusedError,
  readMirror,
  remove,
  test,
  type Workspace,
} from '../sdk/index.ts';
import { patched } from './moves.ts';

/** A mirror that is not this workspace's. */
interface Foreign {
  readonly integration: Integration;
  readonly mirror: Extract<Mirror, { readonly kind: 'forged' | 'foreign' }>;
}

function foreignOf(host: ProviderHost, workspace: Workspace, integrations: readonly Integration[]): readonly Foreign[] {
  return integrations.flatMap((integration) => {
    if (newerFormat(workspace.status?.guards?.[integration.condition]) !== undefined) return []; // its mirror may be of another form too
    const mirror = readMirror(host.seal(), workspace, integration.condition);
    return mirror.kind === 'forged' || mirror.kind === 'foreign' ? [{ integration, mirror }] : [];
  });
}

function textOf({ integration: { condition }, mirror }: Foreign): string {
  const what = `annotation ${mirrorAnnotation(condition)}`;
  if (mirror.kind === 'forged')
    return `${what} does not bear the seal of this operator: its ids are not used, and it is removed`;
  const { namespace, name, uid } = mirror.record;
  return `${what} is that of workspace ${namespace}/${name} (uid ${uid}): this one is a copy and begins afresh; nothing of the other one is touched`;
}

/** What says, in a copy, that something of its own was begun: nothing was, as long as no journal entry is there. */
const isCopiedClaim = (workspace: Workspace, { integration, mirror }: Foreign): boolean =>
  mirror.kind === 'foreign' &&
  workspace.status?.guards?.[integration.condition] === undefined &&
  hasFinalizer(workspace, claimOf(integration.name));

function absent({ status }: Workspace, type: string): JsonPatchOperation {
  if (status === undefined) return test('/status', null);
  return test(status.guards === undefined ? '/status/guards' : pointer('status', 'guards', type), null);
}

/** Takes away the foreign mirrors, and the claims that a copy was made with, tested as they were read. */
function dropPatch(workspace: Workspace, foreign: readonly Foreign[]): readonly JsonPatchOperation[] {
  const { uid, annotations, finalizers = [] } = workspace.metadata;
  const copied = foreign.filter((one) => isCopiedClaim(workspace, one));
  const claims = copied.map(({ integration }) => claimOf(integration.name));
  const kept = finalizers.filter((finalizer) => !claims.includes(finalizer));
  return [
    test('/metadata/uid', uid),
    ...foreign.flatMap(({ integration: { condition } }) => {
      const path = pointer('metadata', 'annotations', mirrorAnnotation(condition));
      return [test(path, annotations?.[mirrorAnnotation(condition)]), remove(path)];
    }),
    ...copied.map(({ integration: { condition } }) => absent(workspace, condition)),
    ...(claims.length === 0 ? [] : [test('/metadata/finalizers', finalizers), add('/metadata/finalizers', kept)]),
  ];
}

/**
 * Removes mirrors that somebody else has written, or that a copy of another workspace was made with; an event tells of each. Where the server refuses
 * that they stay, and are not believed. @throws StaleError if somebody else was faster
 */
export async function dropForeignMirrors(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> {
  const foreign = foreignOf(host, workspace, integrations);
  if (foreign.length === 0) return workspace;
  try {
    const dropped = await patched(host, workspace, { operations: dropPatch(workspace, foreign), status: false });
    for (const one of foreign) host.events.event(dropped, 'Warning', 'ForeignIds', textOf(one));
    return dropped;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    host.events.event(workspace, 'Warning', 'ForeignIds', `${foreign.map(textOf).join('; ')}; ${error.message}`);
    return workspace;
  }
}

/** The workspace as moves are decided on: without journal entries that are older than what their mirrors tell. Those of a newer release stay. */
export function believedWorkspace(
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Workspace {
  const guards = workspace.status?.guards ?? {};
  const disbelieved = integrations
    .map(({ condition }) => condition)
    .filter((type) => newerFormat(guards[type]) === undefined)
    .filter((type) => believedEntry(guards[type], readMirror(host.seal(), workspace, type)) !== guards[type]);
  if (disbelieved.length === 0) return workspace;
  const believed = Object.entries(guards).filter(([type]) => !disbelieved.includes(type));
  return { ...workspace, status: { ...workspace.status, guards: Object.fromEntries(believed) } };
}
