/** Reconciliation of the previews of a repository: read, decide, act. */

import {
  type Client,
  type Clock,
  DefiniteError,
  ForbiddenError,
  GiveUpError,
  InvalidError,
  messageOf,
  SecretRegistry,
  Workspace,
} from '../../sdk/index.ts';
import type { CodeHost, PullRequest } from '../code-host/code-host.ts';
import { carryOut } from './actions.ts';
import { cursorBefore, firstCursor, newCommands } from './commands.ts';
import type { PreviewManifests } from './manifest.ts';
import { type PreviewCommand, type PreviewDecision, type PreviewRules, previewPlan } from './plan.ts';
import { numberOf } from './preview-labels.ts';
import { loadPreviewState, type PreviewState } from './preview-state.ts';

/** Dependencies of a reconciliation. */
export interface ReconcileContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger?: { info(about: object, text: string): void; warn(about: object, text: string): void } | undefined;
  readonly host: CodeHost;
  /** `owner/name` in lower case. */
  readonly repository: string;
  readonly namespace: string;
  readonly manifests: PreviewManifests;
  readonly rules: PreviewRules;
  /** Context of commit statuses. */
  readonly statusContext: string;
  /** Statuses that this process has set or read, by number of the pull request. */
  readonly reported: Map<number, string>;
}

/** Pull requests to reconcile: these, or all. */
export type PullRequestSelection = 'all' | ReadonlySet<number>;

/** Result: the pull requests to reconcile again soon. */
export interface ReconcileResult {
  readonly again: PullRequestSelection;
  /** Failures of single pull requests; the others were reconciled. */
  readonly failures: readonly unknown[];
}

/** Maximum number of authors whose rights are read in one reconciliation. */
const maxAuthors = 20;

const closed = (number: number): PullRequest => ({
  number,
  isOpen: false,
  sha: '',
  branch: '',
  isFork: false,
  labels: [],
  updatedAt: 0,
});

/** Reports whether a user may write. If the host refuses the request the user may not, so that a comment cannot block the reconciliation. */
const mayWrite = (
  { host, repository, logger }: ReconcileContext,
  author: string,
  signal: AbortSignal,
): Promise<boolean> =>
  host.mayWrite(repository, author, signal).catch((error: unknown) => {
    if (!(error instanceof DefiniteError)) throw error;
    logger?.warn({ repository, author, reason: messageOf(error) }, 'the permission of an author could not be read');
    return false;
  });

/** Reads the comments since the last reconciliation; returns the commands of users who may write to the repository. */
async function readCommands(context: ReconcileContext, { cursor }: PreviewState, signal: AbortSignal) {
  const { host, repository, clock, logger } = context;
  const from = cursorBefore(clock.now(), cursor ?? firstCursor(clock.now()));
  const read = newCommands(await host.commentsSince(repository, from.since, signal), from);
  const rights = new Map<string, boolean>();
  const commands: PreviewCommand[] = [];
  for (const { author, number, verb } of read.commands) {
    if (!rights.has(author) && rights.size < maxAuthors) rights.set(author, await mayWrite(context, author, signal));
    if (rights.get(author) === true) commands.push({ number, verb });
    else logger?.warn({ repository, number, author }, 'a /preview by a user who may not write to the repository');
  }
  return { commands, cursor: cursorBefore(clock.now(), read.cursor) };
}

/** Reads single pull requests, one after the other. */
async function pullsOf({ host, repository }: ReconcileContext, numbers: Iterable<number>, signal: AbortSignal) {
  const found: (readonly [number, PullRequest | undefined])[] = [];
  for (const number of numbers) found.push([number, await host.pull(repository, number, signal)]);
  return found;
}

/**
 * Reads the pull requests to decide about. One that is missing from the list is read by its number, since pages shift while they are read.
 * One that is not found counts as closed only if the repository can be listed.
 */
async function readPulls(
  context: ReconcileContext,
  { selected, known }: { readonly selected: PullRequestSelection; readonly known: ReadonlySet<number> },
  signal: AbortSignal,
): Promise<readonly PullRequest[]> {
  if (selected !== 'all') {
    const pulls = (await pullsOf(context, selected, signal)).map(([, pull]) => pull);
    if (pulls.every((pull) => pull !== undefined)) return pulls;
  }
  const listed = await context.host.pulls(context.repository, signal);
  const listedNumbers = new Set(listed.map(({ number }) => number));
  const missing = [...known].filter((number) => !listedNumbers.has(number));
  const others = await pullsOf(context, missing, signal);
  return [...listed, ...others.map(([number, pull]) => pull ?? closed(number))];
}

/** Sets the status of a commit without a preview, once. */
async function reportStatus(
  context: ReconcileContext,
  { number, reported }: PreviewDecision,
  signal: AbortSignal,
): Promise<void> {
  if (reported === undefined) return void context.reported.delete(number);
  const { sha, status } = reported;
  const text = `${sha} ${status.state} ${status.description}`;
  if (context.reported.get(number) === text) return;
  const commit = { repository: context.repository, sha, context: context.statusContext };
  const currentStatus = await context.host.statusOf(commit, signal);
  const isThere = currentStatus?.state === status.state && currentStatus.description === status.description;
  if (!isThere) await context.host.setStatus(commit, status, signal);
  context.reported.set(number, text);
}

/** Reports whether trying the same again is of no use before something changes. */
const isFinal = (error: unknown): boolean =>
  [InvalidError, ForbiddenError, DefiniteError, GiveUpError].some((kind) => error instanceof kind);

async function act(context: ReconcileContext, decision: PreviewDecision, signal: AbortSignal): Promise<void> {
  const { client, namespace, repository, logger } = context;
  const { number, actions } = decision;
  for (const action of actions) {
    await carryOut({ client, namespace, signal }, action);
    const name = action.op === 'delete' ? action.name : action.manifest.metadata.name;
    const reason = action.op === 'delete' ? { reason: action.reason } : {};
    logger?.info({ repository, number, workspace: name, ...reason }, `preview: ${action.op}`);
  }
  await reportStatus(context, decision, signal);
}

/** Reports on the pull request that its preview could not be created. */
async function reportFailure(
  context: ReconcileContext,
  { number, sha, error }: { readonly number: number; readonly sha: string; readonly error: unknown },
  signal: AbortSignal,
) {
  context.logger?.warn({ repository: context.repository, number, err: error }, 'preview could not be changed');
  const secrets = new SecretRegistry();
  secrets.add(...context.host.secrets);
  const description = secrets.redact(`the preview could not be changed: ${messageOf(error)}`).slice(0, 140);
  const reported = { sha, status: { state: 'failure', description } } as const;
  await reportStatus(context, { number, actions: [], waits: false, reported }, signal);
}

/** Executes each decision. A failure is reported on its pull request and does not stop the others. */
async function actOnAll(
  context: ReconcileContext,
  { decisions, pulls }: { readonly decisions: readonly PreviewDecision[]; readonly pulls: readonly PullRequest[] },
  signal: AbortSignal,
): Promise<{ readonly again: ReadonlySet<number>; readonly failures: readonly unknown[] }> {
  const failures: unknown[] = [];
  const again = new Set(decisions.filter(({ waits }) => waits).map(({ number }) => number));
  for (const decision of decisions) {
    try {
      await act(context, decision, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isFinal(error)) again.add(decision.number);
      failures.push(error);
      const sha = pulls.find(({ number }) => number === decision.number)?.sha ?? '';
      if (sha !== '')
        await reportFailure(context, { number: decision.number, sha, error }, signal).catch(() => undefined);
    }
  }
  return { again, failures };
}

/**
 * Reconciles the previews of pull requests: reads, decides and acts. The state is stored before anything is changed, so that an interrupted run is
 * completed by the next one.
 * @throws the error of a read: nothing has been changed
 */
export async function reconcilePreviews(
  context: ReconcileContext,
  selected: PullRequestSelection,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { client, clock, namespace, manifests, rules } = context;
  const { state, save } = await loadPreviewState(client, { namespace, source: manifests.source }, signal);
  const { commands, cursor } = await readCommands(context, state, signal);
  const { items: workspaces } = await client.list(Workspace, { namespace, signal });
  const previews = workspaces.flatMap((workspace) => numberOf(workspace, manifests.source) ?? []);
  const known = new Set([...previews, ...state.records.keys()]);
  const requested = selected === 'all' ? selected : new Set([...selected, ...commands.map(({ number }) => number)]);
  const pulls = await readPulls(context, { selected: requested, known }, signal);
  const now = clock.now();
  const plan = previewPlan({ pulls, workspaces, records: state.records, commands, rules, manifests, now });
  const { decisions, records } = plan;
  await save({ records, cursor });
  const { again, failures } = await actOnAll(context, { decisions, pulls }, signal);
  const isFreed = decisions.some(({ actions }) => actions.some(({ op }) => op === 'delete'));
  return { again: isFreed && previews.length >= rules.limit ? 'all' : again, failures };
}
