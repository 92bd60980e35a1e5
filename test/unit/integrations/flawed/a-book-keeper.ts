/** A plug-in that keeps one book for each workspace, with optional flaws. */

import {
  ConfigMap,
  DefiniteError,
  defineIntegration,
  errorOf,
  type Integration,
  type ProviderController,
  pausedAnnotation,
  type Result,
  requeueAfter,
  ThrottledError,
  type Workspace,
  Workspace as WorkspaceKind,
} from '../../../../sdk/index.ts';
import type { CaseName, StartContext } from '../../../compliance/index.ts';
import type { Ask, Shelf } from './a-shelf.ts';

/** Secret that must never be logged or reported. */
export const token = 'tok-6f1c';

/** Dependencies of one run of the plug-in. */
export interface Keeper {
  readonly shelf: Shelf;
  readonly host: StartContext;
  /** Flaw of the plug-in, named like the case that finds it. */
  readonly flaw: CaseName | undefined;
}

/** Keeper with in-process state. */
interface Remembering extends Keeper {
  readonly sent: Set<string>;
}

/** Wanted book and its owner. */
interface Wish extends Ask {
  readonly title: string;
  readonly owner: string;
  /** No earlier request is known. */
  readonly isNew: boolean;
}

const titleOf = ({ spec }: Workspace): string | undefined =>
  (spec.integrations?.shelf as { readonly title?: string } | undefined)?.title;

async function hold({ shelf, flaw }: Keeper, { title, owner, ...ask }: Wish): Promise<string> {
  const id = await shelf.keep(title, owner, ask);
  if (id !== undefined) return id;
  if (flaw !== 'contended') throw new DefiniteError(`${title} is taken`);
  await shelf.seize(title, ask);
  return shelf.add(title, owner, ask);
}

/** Adds a book once, by remembering in the process what was sent. */
async function addOnce({ shelf, sent }: Remembering, { title, owner, ...ask }: Wish): Promise<string> {
  const found = sent.has(owner) ? await shelf.find(owner, ask) : undefined;
  sent.add(owner);
  return found ?? shelf.add(title, owner, ask);
}

/** Replaces the marks of everything that the workspace had under earlier uids, before it was restored from a backup. */
async function takeOver({ shelf }: Keeper, { formerUids, workspace }: ProviderController, ask: Ask): Promise<void> {
  if (formerUids.length > 0) await shelf.handOver(formerUids, workspace.metadata.uid!, ask);
}

/** Continues after an error as the flaw has it. @throws the error, or the one in its place */
async function afterError({ shelf, flaw }: Keeper, wish: Wish, error: unknown): Promise<string> {
  const { title, owner, isNew: _, ...ask } = wish;
  if (flaw === 'throttled' && error instanceof ThrottledError) throw new DefiniteError('slow down');
  const lost = !(error instanceof DefiniteError || error instanceof ThrottledError) && !ask.signal?.aborted;
  if (flaw === 'ambiguous' && lost) return shelf.add(title, owner, ask);
  if (flaw === 'reports' && error instanceof DefiniteError) throw new ThrottledError('wait', 1_000);
  throw error;
}

async function place(backend: Remembering, wish: Wish): Promise<string> {
  const { shelf, flaw } = backend;
  const { title: _, owner, isNew, ...ask } = wish;
  try {
    if (flaw === 'completes') return (await shelf.find(owner, ask)) ?? 'none';
    return await (flaw === 'crash' && isNew ? addOnce : hold)(backend, wish);
  } catch (error) {
    return afterError(backend, wish, error);
  }
}

async function reconcile(
  backend: Remembering,
  controller: ProviderController,
  owner: string,
): Promise<Result | undefined> {
  const { shelf, flaw, host } = backend;
  const title = titleOf(controller.workspace) ?? 'any';
  const same = controller.refs[0]?.title === title || flaw === 'follows';
  if (controller.condition.status === 'Completed' && same && flaw !== 'once') {
    if (flaw !== undefined) return undefined;
    if ((await shelf.find(owner, { signal: controller.signal })) !== undefined) return requeueAfter(60_000);
  }
  const { client, namespace } = host;
  if (flaw === 'marks')
    await client.create(ConfigMap, { metadata: { name: 'notes', namespace } }).catch(() => undefined);
  const isNew = controller.refs.length === 0;
  const task = async ({ signal }: { readonly signal: AbortSignal }) => {
    const ask = flaw === 'signal' ? {} : { signal };
    await takeOver(backend, controller, ask);
    const id = await place(backend, { title, owner, isNew, ...ask });
    await shelf.stamp(id, ask).catch((error: unknown) => {
      if (flaw !== 'definite' || !(error instanceof DefiniteError)) throw errorOf(error);
    });
    const reason = flaw === 'secrets' ? `kept with ${token}` : 'kept';
    return { status: 'Completed', reason, refs: [{ id, title }] } as const;
  };
  await controller.guard('keeping a book', task, { op: 'create', identity: 'name' });
  return flaw === undefined ? requeueAfter(60_000) : undefined;
}

function terminate(backend: Keeper, controller: ProviderController, owner: string): Promise<void> {
  const { shelf, flaw } = backend;
  if (flaw === 'unreconciled' && controller.refs.length === 0) throw new TypeError('no book is known');
  return controller.guard(
    'putting the book away',
    async ({ signal, refs }) => {
      if (flaw === 'crash') for (const { id } of refs) await shelf.remove(String(id), { signal });
      else if (flaw !== 'cleans') {
        const ask = flaw === 'signal' ? {} : { signal };
        await takeOver(backend, controller, ask);
        await shelf.clear(owner, ask);
      }
      return { status: 'Terminated', reason: 'put away', refs: [] };
    },
    { op: 'delete', identity: 'name' },
  );
}

/** Restores the book in the background while its workspace is paused. */
async function mind({ shelf, host }: Keeper, { metadata }: Workspace): Promise<void> {
  const key = { namespace: host.namespace, name: metadata.name };
  for (;;) {
    await host.clock.sleep(1_000);
    const now = await host.client.get(WorkspaceKind, key);
    if (now.metadata.annotations?.[pausedAnnotation] === 'true') await shelf.keep(titleOf(now)!, now.metadata.uid!);
  }
}

/** A plug-in that keeps one book for each workspace: correct except for its flaw, if any. */
export function bookKeeper(options: Keeper): Integration {
  const backend: Remembering = { ...options, sent: new Set() };
  const { shelf, flaw } = backend;
  return defineIntegration({
    name: 'shelf',
    condition: 'Shelf',
    handles(workspace) {
      const title = titleOf(workspace);
      const isHeld = workspace.status?.guards?.Shelf?.holder === 'another/holder';
      if (flaw === 'locked' && isHeld) void shelf.keep(title!, workspace.metadata.uid!);
      return title !== undefined || flaw === 'unhandled';
    },
    connect: ({ workspace, controller }) => {
      const owner = workspace.metadata.uid!;
      if (flaw === 'paused') void mind(backend, workspace).catch(() => undefined);
      return {
        reconcile: () => reconcile(backend, controller, owner),
        terminate: () => terminate(backend, controller, owner),
      };
    },
  });
}
