/** Sends messages about an environment, each once, as guarded tasks of a condition. */

import { createHash } from 'node:crypto';
import {
  canonicalJson,
  defineIntegration,
  type GuardOptions,
  type Integration,
  isDeleting,
  type Outcome,
  type Provider,
  type ProviderController,
  type Ref,
  type Task,
  type Workspace,
} from '../../sdk/index.ts';
import type { CheckedNotifyOptions } from './common-options.ts';
import { hasCome, hasGone, progressOf } from './environment-progress.ts';

/** Event of an environment that is reported. */
export type AnnouncedEvent = 'came' | 'changed' | 'went';

/** Environment that is announced. */
export interface AnnouncedEnvironment {
  readonly workspace: Workspace;
  /** Uids under which it was announced before it came back from a backup, the latest last. */
  readonly formerUids: readonly string[];
}

/** Message to be sent. */
export interface Announcement extends AnnouncedEnvironment {
  readonly event: AnnouncedEvent;
  /** Idempotency key: the same for all attempts at this message, and unique to it. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Message that was taken. */
export interface SentAnnouncement {
  /** Name of the message for its receivers, or of its place with them. */
  readonly id: string;
  /** Text for the condition. @default none */
  readonly remark?: string;
}

/** Settings of the messages of one integration, common to all workspaces. */
export interface AnnouncementSetup {
  /** Way in which a message with a lost answer is found again. */
  readonly identity: Pick<GuardOptions, 'identity' | 'validForMs'>;
  /** Returns what a change of is reported, as JSON. */
  readonly changes: (workspace: Workspace) => unknown;
  /** Describes the mistake in the settings of a workspace; undefined when there is none. */
  readonly mistakeIn: (workspace: Workspace) => string | undefined;
  /** Sends one message. @throws DefiniteError, ThrottledError when it was not sent, another Error when that is unknown */
  send(announcement: Announcement): Promise<SentAnnouncement>;
}

/** Message as the journal has it before it is sent. */
interface DueAnnouncement {
  readonly event: AnnouncedEvent;
  /** Digest of what a change of is reported. */
  readonly digest: string;
}

type JournalEntry = NonNullable<NonNullable<Workspace['status']>['guards']>[string];

const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value ?? null))
    .digest('hex')
    .slice(0, 16);

const entryOf = ({ workspace, condition }: ProviderController): JournalEntry | undefined =>
  workspace.status?.guards?.[condition.type];

const verbs: ReadonlyMap<unknown, string> = new Map<AnnouncedEvent, string>([
  ['came', 'came'],
  ['changed', 'has changed'],
  ['went', 'went'],
]);

const newsOf = (event: unknown): string => `that it ${verbs.get(event) ?? 'came'}`;

/** Returns the message of a journal entry; undefined when it names none. */
function dueIn(entry: Pick<JournalEntry, 'input'> | undefined): DueAnnouncement | undefined {
  const { event, digest } = (entry?.input ?? {}) as Partial<DueAnnouncement>;
  return event !== undefined && verbs.has(event) ? { event, digest: String(digest) } : undefined;
}

/** Returns the message whose outcome is unknown, unless it is the last one. */
const openMessage = (entry: JournalEntry | undefined): DueAnnouncement | undefined =>
  entry?.phase === 'intent' && entry.op === 'create' ? dueIn(entry) : undefined;

/** Returns the next message about an environment that has come; undefined when everything is announced. A message that a person has confirmed has the digest of its attempt. */
function nextMessage(controller: ProviderController, digest: string): DueAnnouncement | undefined {
  const last = controller.refs.at(-1);
  if (last === undefined) return { event: 'came', digest };
  const announced = last.digest ?? dueIn(entryOf(controller))?.digest ?? digest;
  return announced === digest ? undefined : { event: 'changed', digest };
}

/** Returns what is recorded after a message: the first one and the last. */
const recorded = (before: readonly Ref[], last: Ref): readonly Ref[] => [...before.slice(0, 1), last];

/** Sends one message, once: a repeated attempt sends the journalled one. */
function announce(controller: ProviderController, setup: AnnouncementSetup, due: DueAnnouncement): Promise<void> {
  const isLast = due.event === 'went';
  const task: Task = async ({ key, signal, input, refs }): Promise<Outcome> => {
    const { event, digest } = dueIn({ input }) ?? due;
    const { workspace, formerUids } = controller;
    const { id, remark } = await setup.send({ event, workspace, formerUids, key, signal });
    const reason = ['announced', newsOf(event), ...(remark === undefined ? [] : [`(${remark})`])].join(' ');
    return isLast
      ? { status: 'Terminated', reason, refs: [] }
      : { status: 'Completed', reason, refs: recorded(refs, { id, event, digest }) };
  };
  return controller.guard(`announcing ${newsOf(due.event)}`, task, {
    op: isLast ? 'delete' : 'create',
    input: { ...due },
    ...setup.identity,
  });
}

/** Forgets the announcements that were sent, and sends nothing. */
async function forget(controller: ProviderController): Promise<void> {
  const reason = 'nothing more is announced';
  if (controller.refs.length === 0 && entryOf(controller) !== undefined)
    return controller.updateCondition('Terminated', reason);
  const task: Task = async () => ({ status: 'Terminated', reason, refs: [] });
  return controller.guard('forgetting what was announced', task, { op: 'delete', identity: 'name' });
}

async function reconcile(controller: ProviderController, setup: AnnouncementSetup): Promise<void> {
  const { workspace } = controller;
  const open = openMessage(entryOf(controller));
  if (open !== undefined) return announce(controller, setup, open);
  const mistake = setup.mistakeIn(workspace);
  if (mistake !== undefined) return controller.updateCondition('Error', mistake);
  if (!hasCome(workspace)) {
    if (controller.refs.length === 0)
      await controller.updateCondition('Waiting', 'announced once all other conditions are there');
    return;
  }
  const due = nextMessage(controller, digestOf(setup.changes(workspace)));
  if (due !== undefined) return announce(controller, setup, due);
  const { status, reason } = controller.condition;
  const news = `announced ${newsOf(controller.refs.at(-1)?.event)}`;
  await controller.updateCondition('Completed', status === 'Completed' ? reason : news);
}

async function terminate(controller: ProviderController, setup: AnnouncementSetup): Promise<void> {
  const entry = entryOf(controller);
  const open = openMessage(entry);
  if (open !== undefined) await announce(controller, setup, open);
  const isAnnounced = controller.refs.length > 0 || entry === undefined;
  const isOver = entry?.phase === 'done' && dueIn(entry)?.event === 'went'; // a person says that it was sent
  const isSilent = !isDeleting(controller.workspace) || setup.mistakeIn(controller.workspace) !== undefined;
  if (isSilent || !isAnnounced || isOver) return forget(controller);
  if (!hasGone(controller.workspace)) {
    await controller.updateCondition('In Progress', 'announced once all other conditions are gone');
    return;
  }
  return announce(controller, setup, { event: 'went', digest: '' });
}

/**
 * Creates the provider of one workspace. It announces once that the environment came, when all other conditions are there; each change of the result of
 * `changes` once; and once that it went, when all other conditions are gone, unless it was never announced. Nothing is announced of a workspace that
 * no longer requests it, or whose settings are invalid when it is deleted.
 */
export const announcer = (controller: ProviderController, setup: AnnouncementSetup): Provider => ({
  reconcile: () => reconcile(controller, setup),
  terminate: () => terminate(controller, setup),
});

/** Returns the integration that sends messages by this setup. */
export const announcing = (
  {
    name,
    condition,
    secrets,
    endpoints,
    limits,
    handles,
  }: CheckedNotifyOptions & Pick<Integration, 'secrets' | 'endpoints'>,
  setup: AnnouncementSetup,
): Integration =>
  defineIntegration({
    name,
    condition,
    ...(secrets && { secrets }),
    ...(endpoints && { endpoints }),
    limits,
    handles,
    reads: progressOf,
    connect: ({ controller }) => announcer(controller, setup),
  });
