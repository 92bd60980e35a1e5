/** Decides which previews are created, changed and deleted, from pull requests, Workspaces and the stored state. All functions are pure. */

import { isDeleting, type NewObject, type Workspace } from '../../sdk/index.ts';
import type { CommitStatus, PullRequest } from '../code-host/code-host.ts';
import { mistakeInPreviewName, type PreviewManifests } from './manifest.ts';
import { appliedManifestAnnotation, manifestDigest, numberOf } from './preview-labels.ts';

/** Stored state of an open pull request, so that a deleted preview is not created again before the next push. */
export interface PreviewRecord {
  readonly sha: string;
  /** Wall clock in ms since when this is its last commit, as far as was seen, or was asked for. */
  readonly since: number;
  /** Absent: it has a preview, or may have one. */
  readonly stopped?: 'expired' | 'deleted';
}

/** Records by the number of the pull request. */
export type PreviewRecords = ReadonlyMap<number, PreviewRecord>;

/** Command of a user who may write to the repository. */
export interface PreviewCommand {
  readonly number: number;
  readonly verb: 'create' | 'delete';
}

/** Rules of the creation and deletion of previews. */
export interface PreviewRules {
  /** Most previews of the repository. */
  readonly limit: number;
  /** ms since the last push or `/preview`; undefined: for as long as the pull request is open. */
  readonly ttl: number | undefined;
  /** ms since the last change of the pull request, comments included. */
  readonly idle: number | undefined;
  /** Label without which a fork gets none. */
  readonly forkLabel: string;
}

/** All that is known. */
export interface PreviewInput {
  /** Pull requests that were read; others are not touched. */
  readonly pulls: readonly PullRequest[];
  /** All Workspaces of the namespace, including foreign ones. */
  readonly workspaces: readonly Workspace[];
  readonly records: PreviewRecords;
  readonly commands: readonly PreviewCommand[];
  readonly rules: PreviewRules;
  readonly manifests: PreviewManifests;
  /** Wall clock in ms. */
  readonly now: number;
}

/** Change of one Workspace. */
export type PreviewAction =
  | { readonly op: 'create'; readonly number: number; readonly manifest: PreviewManifest }
  | { readonly op: 'update'; readonly number: number; readonly uid: string; readonly manifest: PreviewManifest }
  | {
      readonly op: 'delete';
      readonly number: number;
      readonly name: string;
      readonly uid: string;
      readonly reason: string;
    };

/** Desired Workspace of a pull request. */
export type PreviewManifest = NewObject<Workspace> & { readonly metadata: { readonly name: string } };

/** Decision about one pull request. */
export interface PreviewDecision {
  readonly number: number;
  readonly actions: readonly PreviewAction[];
  /** Status of its last commit while it has no preview; a preview reports itself. */
  readonly reported?: { readonly sha: string; readonly status: CommitStatus };
  /** True when it must be reconciled again after a deletion. */
  readonly waits: boolean;
}

/** Decisions, and the state to store before they are carried out. */
export interface PreviewPlan {
  readonly decisions: readonly PreviewDecision[];
  readonly records: PreviewRecords;
}

type Verdict = { readonly wanted: true } | { readonly wanted: false; readonly reason: string };

const no = (reason: string): Verdict => ({ wanted: false, reason });

/** Returns the state to store of a pull request; undefined for a closed one. */
function recordOf(pull: PullRequest, input: PreviewInput): PreviewRecord | undefined {
  const { records, commands, rules, now } = input;
  if (!pull.isOpen) return undefined;
  const { sha } = pull;
  const verb = commands.findLast(({ number }) => number === pull.number)?.verb;
  if (verb === 'delete') return { sha, since: now, stopped: 'deleted' };
  const known = records.get(pull.number);
  if (verb === 'create' || known?.sha !== sha) return { sha, since: now };
  if (known.stopped !== undefined) return known;
  const since = Math.min(known.since, now); // a clock that was wrong may have been ahead
  const changed = Math.max(since, Math.min(pull.updatedAt, now));
  const isOver = isPast(since, rules.ttl, now) || isPast(changed, rules.idle, now);
  return { ...known, since, ...(isOver && { stopped: 'expired' }) };
}

const isPast = (since: number, duration: number | undefined, now: number): boolean =>
  duration !== undefined && now - since >= duration;

function verdictOf(pull: PullRequest, record: PreviewRecord | undefined, { rules }: PreviewInput): Verdict {
  if (record === undefined) return no('the pull request is closed');
  if (pull.isFork && !pull.labels.includes(rules.forkLabel))
    return no(`a fork gets a preview once a maintainer has set the label ${rules.forkLabel}`);
  if (record.stopped === 'deleted') return no('deleted by /preview delete; /preview or a push brings it back');
  if (record.stopped === 'expired') return no('deleted after its time; /preview or a push brings it back');
  return { wanted: true };
}

/** Workspaces of the namespace by their relation to a source. */
interface SortedWorkspaces {
  readonly ours: ReadonlyMap<number, readonly Workspace[]>;
  /** Names that are not free. */
  readonly names: ReadonlySet<string>;
}

function sorted({ workspaces, manifests }: PreviewInput): SortedWorkspaces {
  const ours = new Map<number, Workspace[]>();
  for (const workspace of workspaces) {
    const number = numberOf(workspace, manifests.source);
    if (number !== undefined) ours.set(number, [...(ours.get(number) ?? []), workspace]);
  }
  return { ours, names: new Set(workspaces.map(({ metadata }) => metadata.name)) };
}

const deletion = (number: number, { metadata }: Workspace, reason: string): PreviewAction => ({
  op: 'delete',
  number,
  name: metadata.name,
  uid: metadata.uid ?? '',
  reason,
});

/** Decides about a pull request that is to have a preview, and about the Workspaces that it has. */
function wantedDecision(
  pull: PullRequest,
  existing: readonly Workspace[],
  {
    input,
    names,
    isFull,
  }: { readonly input: PreviewInput; readonly names: SortedWorkspaces['names']; readonly isFull: boolean },
): PreviewDecision {
  const { number, sha } = pull;
  const manifest = input.manifests.of(pull);
  const { name } = manifest.metadata;
  const other = existing.filter((one) => one.metadata.name !== name);
  const same = existing.find((one) => one.metadata.name === name);
  const refused = (description: string, actions: readonly PreviewAction[] = []): PreviewDecision => ({
    number,
    actions,
    waits: false,
    reported: { sha, status: { state: 'failure', description: described(description) } },
  });
  const gone = other.filter((one) => !isDeleting(one)).map((one) => deletion(number, one, `it is named ${name} now`));
  if (other.length > 0) return { number, actions: gone, waits: true };
  if (same !== undefined && isDeleting(same)) return { number, actions: [], waits: true };
  const mistake = mistakeInPreviewName(name);
  if (mistake !== undefined) return refused(mistake);
  if (same !== undefined) {
    const isApplied = same.metadata.annotations?.[appliedManifestAnnotation] === manifestDigest(manifest);
    const uid = same.metadata.uid ?? '';
    return { number, actions: isApplied ? [] : [{ op: 'update', number, uid, manifest }], waits: false };
  }
  if (names.has(name))
    return refused(`the name ${name} is taken by a Workspace that is not a preview of this repository`);
  if (isFull)
    return refused(`${input.rules.limit} previews are there already, no more are allowed: close or delete one`);
  return { number, actions: [{ op: 'create', number, manifest }], waits: false };
}

/** Cuts a description to the maximum length of hosts. */
const described = (text: string): string => (text.length > 140 ? `${text.slice(0, 139)}…` : text);

function unwantedDecision(pull: PullRequest, existing: readonly Workspace[], reason: string): PreviewDecision {
  const { number, sha, isOpen } = pull;
  const actions = existing.filter((one) => !isDeleting(one)).map((one) => deletion(number, one, reason));
  const status: CommitStatus = { state: 'success', description: described(`no preview: ${reason}`) };
  return { number, actions, waits: false, ...(isOpen && existing.length === 0 && { reported: { sha, status } }) };
}

/**
 * Decides for each pull request that was looked at: which Workspace is created, changed or deleted, and what is reported instead. Existing previews stay
 * when the limit is reached; of new ones the oldest pull requests come first. A preview with a former name goes before the one with the new name
 * comes, so that there are never two. Pure.
 */
export function previewPlan(input: PreviewInput): PreviewPlan {
  const records = new Map(input.records);
  const { ours, names } = sorted(input);
  const decisions: PreviewDecision[] = [];
  let count = [...ours.values()].flat().length;
  for (const pull of input.pulls.toSorted((a, b) => a.number - b.number)) {
    const existing = ours.get(pull.number) ?? [];
    const record = recordOf(pull, input);
    if (record === undefined) records.delete(pull.number);
    else records.set(pull.number, record);
    const verdict = verdictOf(pull, record, input);
    const isFull = count >= input.rules.limit;
    const decision = verdict.wanted
      ? wantedDecision(pull, existing, { input, names, isFull })
      : unwantedDecision(pull, existing, verdict.reason);
    count += decision.actions.filter(({ op }) => op === 'create').length;
    decisions.push(decision);
  }
  return { decisions, records };
}
