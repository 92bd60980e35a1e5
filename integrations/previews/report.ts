/** Report of previews on their pull requests: one comment, and a commit status, with the state and the address. */

import {
  conditionOf,
  DefiniteError,
  defineIntegration,
  type ExternalCallContext,
  type ExternalResource,
  externalResource,
  type Integration,
  type Workspace,
} from '../../sdk/index.ts';
import type { CodeHost, CommitStatus, PullRequestComment } from '../code-host/code-host.ts';
import { membersOf } from '../code-host/json.ts';
import { reportMember } from './manifest.ts';

/** Pull request and commit of a preview, as its spec names them. */
interface ReportPlace {
  readonly repository: string;
  readonly number: number;
  readonly sha: string;
}

/** Desired report. */
export interface WantedReport {
  /** Text of the comment without its mark. */
  readonly body: string;
  readonly sha: string;
  readonly state: CommitStatus['state'];
  readonly description: string;
  /** Empty for none. */
  readonly url: string;
}

/** Options of {@link previewReport}. */
export interface PreviewReportOptions {
  readonly host: CodeHost;
  /** Repositories that may be reported to, in lower case. */
  readonly repositories: readonly string[];
  /** Only Workspaces of this namespace report. @default all */
  readonly namespace?: string;
  readonly statusContext: string;
}

const condition = 'Announced';

/** Returns the pull request that a spec names; undefined when it names none. */
function placeOf({ spec }: Workspace, host: string): ReportPlace | undefined {
  const { host: at, repository, number, sha } = membersOf(spec.integrations?.[reportMember]);
  const isPlace = at === host && typeof repository === 'string' && Number.isSafeInteger(number) && Number(number) > 0;
  if (!isPlace || typeof sha !== 'string' || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) return undefined;
  return { repository, number: Number(number), sha };
}

/** Parts of a comment. */
interface ReportParts {
  readonly body: string;
  readonly mark: string;
  /** Commit whose status belongs to it; empty when it is not reported. */
  readonly sha: string;
}

/** Formats a comment: its text, and an invisible HTML comment with the mark. */
const commentText = ({ body, mark, sha }: ReportParts): string =>
  `${body}\n\n<!-- se.quencer.io/preview ${mark} ${sha} -->`;

/** Matches the end of a comment. */
const ending = /\n\n<!-- se\.quencer\.io\/preview ([^\s<>]{1,600}) ([0-9a-f]{0,64}) -->$/;

/** Parses a comment; undefined without a mark. */
function partsOf(comment: PullRequestComment): ReportParts | undefined {
  const text = comment.body.replaceAll('\r', '').trimEnd();
  const found = ending.exec(text.slice(-800));
  if (found === null) return undefined;
  const [whole, mark = '', sha = ''] = found;
  return { body: text.slice(0, -whole.length), mark, sha };
}

const failedStatuses: readonly string[] = ['Error', 'Unknown', 'Not Healthy'];
const arrived: readonly string[] = ['Completed', 'Healthy'];

/** Computes the report from the other conditions of a preview. Pure. */
export function wantedReportOf(workspace: Workspace, { sha }: Pick<ReportPlace, 'sha'>): WantedReport {
  const types = (workspace.status?.conditions ?? [])
    .map(({ type }) => type)
    .filter((type) => ![condition, 'Ready'].includes(type));
  const statuses = types.map((type) => conditionOf(workspace, type).status);
  const failed = types.filter((_, index) => failedStatuses.includes(statuses[index]!));
  const isReady = statuses.length > 0 && statuses.every((status) => arrived.includes(status));
  const url = workspace.status?.host === undefined ? '' : `https://${workspace.status.host}`;
  const { namespace = 'default', name } = workspace.metadata;
  const shown = `Workspace \`${namespace}/${name}\`, commit ${sha}`;
  const reportOf = (state: CommitStatus['state'], text: string): WantedReport => ({
    body: `**Preview**: ${text}${isReady && url !== '' ? ` at ${url}` : ''}\n\n${shown}`,
    sha,
    state,
    description: `preview: ${text}`.slice(0, 140),
    url: isReady ? url : '',
  });
  if (failed.length > 0) return reportOf('failure', `failed: ${failed.join(', ')}`);
  return isReady ? reportOf('success', 'ready') : reportOf('pending', 'being made');
}

/** Calls about the report of one pull request. */
function reportCalls({ host, statusContext: context }: PreviewReportOptions, place: ReportPlace) {
  const all = async (signal: AbortSignal) =>
    (await host.ownComments(place, signal)).flatMap((comment) => {
      const parts = partsOf(comment);
      return parts === undefined ? [] : [{ id: comment.id, ...parts }];
    });
  const status = async (at: { repository: string; sha: string }, wanted: CommitStatus, signal: AbortSignal) => {
    const commit = { ...at, context };
    const currentStatus = await host.statusOf(commit, signal);
    const isThere =
      currentStatus?.state === wanted.state &&
      currentStatus.description === wanted.description &&
      currentStatus.url === wanted.url;
    if (!isThere) await host.setStatus(commit, wanted, signal);
  };
  const conflict = async ({ owner, signal }: ExternalCallContext): Promise<DefiniteError | undefined> => {
    const [first] = await all(signal);
    if (first === undefined || first.mark === owner.mark) return undefined;
    const [other] = first.mark.split('/', 1);
    return new DefiniteError(`comment ${first.id} reports another Workspace (${other}): delete it if that is gone`);
  };
  return { all, status, conflict };
}

/** Makes a call after another one has made something: its refusal does not say that nothing is there. @throws Error without a definite outcome */
const afterCreation = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw error instanceof DefiniteError ? new Error(error.message, { cause: error }) : error;
  });

/** Comment, and where it is: the spec may say something else by the time it is deleted. Ids of earlier releases are numbers alone. */
interface ReportId {
  readonly id: number;
  readonly repository?: string;
  readonly number?: number;
}

/** Returns the comment of one preview, with its commit status. */
function reportResource(options: PreviewReportOptions, place: ReportPlace): ExternalResource<WantedReport, ReportId> {
  const { host, statusContext: context } = options;
  const { repository, number } = place;
  const at = { repository, number };
  const { all, status, conflict } = reportCalls(options, place);
  return externalResource<WantedReport, ReportId>({
    label: 'report',
    identity: 'tag',
    driftInterval: 600_000,
    listLagMs: 5000,
    async find({ mark }, { signal }) {
      const found = (await all(signal)).find((one) => one.mark === mark);
      return found && { id: found.id, ...at };
    },
    async create({ body, sha }, call) {
      const older = await conflict(call);
      if (older !== undefined) throw older;
      const { owner, signal } = call;
      const id = await host.createComment(place, commentText({ body, mark: owner.mark, sha }), signal);
      const other = await afterCreation(conflict(call));
      if (other === undefined) return { id: { id, ...at }, upToDate: false };
      await afterCreation(host.deleteComment({ ...at, id }, signal));
      throw other;
    },
    async observe(id, { signal }) {
      const comment = await host.comment({ ...at, ...id }, signal);
      if (comment === undefined) return undefined;
      const { body, mark, sha } = partsOf(comment) ?? { body: comment.body, mark: 'no owner', sha: '' };
      const currentStatus = sha === '' ? undefined : await host.statusOf({ repository, sha, context }, signal);
      const { state = 'pending', description = '', url = '' } = currentStatus ?? {};
      return { state: { body, sha, state, description, url }, mark };
    },
    async update(id, { body, sha, state, description, url }, { owner, signal }) {
      await status({ repository, sha }, { state, description, ...(url !== '' && { url }) }, signal);
      await host.editComment({ ...at, ...id }, commentText({ body, mark: owner.mark, sha }), signal);
    },
    async replaceMark(id, { owner, signal }) {
      const comment = await host.comment({ ...at, ...id }, signal);
      const parts = comment && partsOf(comment);
      if (parts === undefined) throw new DefiniteError(`there is no comment ${id.id} with a mark`);
      await host.editComment({ ...at, ...id }, commentText({ ...parts, mark: owner.mark }), signal);
    },
    async delete(id, { signal }) {
      const where = { ...at, ...id };
      const comment = await host.comment(where, signal);
      const sha = (comment && partsOf(comment)?.sha) || place.sha;
      const commit = { repository: where.repository, sha };
      const current = sha === '' ? undefined : await host.statusOf({ ...commit, context }, signal);
      if (current?.description.startsWith('preview: '))
        await status(commit, { state: 'success', description: 'no preview: it was deleted' }, signal);
      await host.deleteComment(where, signal);
    },
  });
}

/** Reports each preview on its pull request: a comment that is edited, and the status of the commit. */
export function previewReport(options: PreviewReportOptions): Integration {
  const { host, repositories, namespace } = options;
  const requested = (workspace: Workspace): ReportPlace | undefined => {
    const place = placeOf(workspace, host.name);
    const isOurs = namespace === undefined || workspace.metadata.namespace === namespace;
    return isOurs && place !== undefined && repositories.includes(place.repository) ? place : undefined;
  };
  return defineIntegration({
    name: reportMember,
    condition,
    secrets: host.secrets,
    ...(host.endpoints && { endpoints: host.endpoints }),
    limits: { rate: 1, burst: 20 },
    handles: (workspace) => requested(workspace) !== undefined,
    reads: (workspace) => {
      const place = requested(workspace);
      return place && wantedReportOf(workspace, place);
    },
    connect: ({ workspace, controller }) => {
      const place = requested(workspace) ?? { repository: repositories[0] ?? '', number: 0, sha: '' };
      const resource = reportResource(options, place);
      return {
        reconcile: () => controller.ensure(resource, wantedReportOf(controller.workspace, place)),
        terminate: () => controller.destroy(resource),
      };
    },
  });
}
