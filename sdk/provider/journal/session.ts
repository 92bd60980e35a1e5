/** State of one controller's work on a workspace. */

import { isDeleting, keyOf, type ObjectKey, objectKeyOf } from '../../api/object.ts';
import type { JsonPatchOperation } from '../../api/patch.ts';
import { type GuardEntry, Workspace } from '../../api/workspace.ts';
import { isOlder } from '../../client/cache/resource-version.ts';
import type { CallOptions, WriteOptions } from '../../client/client.ts';
import { refusalOf } from '../../client/patch-tested.ts';
import { maxReasonLength, redactAndCut } from '../../cut-text.ts';
import { BusyError, InvalidError, NotFoundError, StaleError } from '../../errors.ts';
import type { Ref } from '../contract/integration.ts';
import type { ManagementPolicy } from '../contract/management-policy.ts';
import type { OutputDeclarations } from '../contract/outputs.ts';
import { highestTokenOf } from '../host/fencing-tokens.ts';
import type { ProviderHost } from '../host/host.ts';
import { redactWorkspacePatch } from '../host/redact-workspace-patch.ts';
import { reportingRefusal } from '../host/report-refusals.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { effectiveEntry } from './effective-entry.ts';
import { formerUids, type Mirror, readMirror } from './read-mirror.ts';
import { isOfOtherClaim, recordsNothing } from './recorded-claim.ts';
import { waitsForPatch } from './waits-for-text.ts';

/** Scope of a controller: one condition of one workspace, claimed by one integration. */
export interface Scope {
  /** Type of the condition. */
  readonly type: string;
  /** Finalizer of the integration. */
  readonly claim: string;
  /** True when the integration is connected to delete its objects. */
  readonly terminating: boolean;
  /** Policy for external objects. @default 'manage' */
  readonly policy?: ManagementPolicy;
  /** Outputs that the integration may set. @default none */
  readonly outputs?: OutputDeclarations | undefined;
  /** Rate limits for calls to the third party. @default unlimited */
  readonly limits?: RateLimits | undefined;
}

/** One controller's view of its workspace: as read, then as of each own write. All writes go through it, so that the view includes them. */
export class Session {
  readonly host: ProviderHost;
  readonly scope: Scope;
  /** Generation of the spec that the session began with and acts on; the view may be newer. */
  readonly generation: number | undefined;
  #workspace: Workspace;
  #mirror: Mirror | undefined;
  #isGone = false;
  /** True during an attempt of this session; a nested one would deadlock. */
  guarding = false;

  constructor(host: ProviderHost, workspace: Workspace, scope: Scope) {
    this.host = host;
    this.scope = scope;
    this.generation = workspace.metadata.generation;
    this.#workspace = workspace;
    host.fencingTokens.see(workspace, scope.type);
  }

  get workspace(): Workspace {
    return this.#workspace;
  }

  get key(): ObjectKey {
    return objectKeyOf(this.#workspace);
  }

  /** Key of the guarded condition within this process. */
  get lockKey(): string {
    return `${this.#workspace.metadata.uid}/${this.scope.type}`;
  }

  /** True when the workspace is gone, or another one has its name. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Verified mirror of the condition. */
  get mirror(): Mirror {
    this.#mirror ??= this.#readMirror();
    return this.#mirror;
  }

  /** Mirror of the condition; `none` for that of another integration, whose ids are those of another third party. */
  #readMirror(): Mirror {
    const mirror = readMirror(this.host.seal(), this.#workspace, this.scope.type);
    const claim = 'record' in mirror ? mirror.record.claim : undefined;
    return claim === undefined || claim === this.scope.claim ? mirror : { kind: 'none' };
  }

  /** Journal entry of the condition as stored in the status, to be tested by a patch. */
  get storedEntry(): GuardEntry | undefined {
    return this.#workspace.status?.guards?.[this.scope.type];
  }

  /** Journal entry of the condition, as far as it is trusted. That of another integration counts as missing. */
  get entry(): GuardEntry | undefined {
    if (this.entryOfOtherClaim !== undefined) return undefined;
    const entry = this.host.fencingTokens.checkedEntry(this.#workspace, this.scope.type);
    return effectiveEntry(this.#workspace, entry, this.mirror);
  }

  /** Ids that fenced holders have handed over, also to an entry that was put back: they are newer than it. */
  get late(): readonly Ref[] {
    return this.entryOfOtherClaim === undefined ? ((this.storedEntry?.late ?? []) as readonly Ref[]) : [];
  }

  /** Highest token known of the condition: as written, as mirrored, and as this process has seen it. */
  get knownToken(): number {
    const mirrored = 'record' in this.mirror ? this.mirror.record.token : 0;
    const seen = this.host.fencingTokens.newestOf(this.#workspace, this.scope.type);
    return Math.max(this.storedEntry?.token ?? 0, mirrored, seen);
  }

  /** Highest token that an attempt of the condition can have had before this read, recorded or not. */
  get newestToken(): number {
    return Math.max(highestTokenOf(this.#workspace), this.knownToken);
  }

  /** Journal entry that another integration has left in the condition. One that is older than this one's mirror was put back. */
  get entryOfOtherClaim(): GuardEntry | undefined {
    return isOfOtherClaim(this.storedEntry, this.scope.claim)
      ? effectiveEntry(this.#workspace, this.storedEntry, this.mirror)
      : undefined;
  }

  /** Earlier uids of the workspace, before it was restored from a backup; the latest last. */
  get formerUids(): readonly string[] {
    return formerUids(this.mirror, this.entry?.formerly);
  }

  /**
   * Sends a JSON patch of the status; no request for an empty one.
   * @throws StaleError when a test does not hold: the workspace is reread; RefusedError when all hold and the server refuses it nevertheless;
   * UnreachableError without an answer within the deadline of the call
   */
  async patchStatus(operations: readonly JsonPatchOperation[], call?: Pick<CallOptions, 'deadline'>): Promise<void> {
    if (operations.length === 0) return;
    await this.#send([...operations, ...waitsForPatch(this.#workspace, operations)], {
      ...call,
      subresource: 'status',
    });
  }

  /** Sends a JSON patch of the main resource. @throws StaleError, RefusedError as {@link patchStatus} */
  async patchMain(operations: readonly JsonPatchOperation[]): Promise<void> {
    if (operations.length > 0) await this.#send(operations);
  }

  /** Reads the workspace live. @throws StaleError if another one has its name, NotFoundError if it is gone */
  async refresh(): Promise<Workspace> {
    const read = await this.#orGone(this.host.client.get(Workspace, this.key, { signal: this.host.killed }));
    this.#isGone = read.metadata.uid !== this.#workspace.metadata.uid;
    if (this.#isGone) throw new StaleError(`workspace ${keyOf(this.key)} was deleted and recreated`);
    this.#become(read);
    return read;
  }

  /** True when the workspace has a deletion timestamp, as far as this session has seen. */
  get deleting(): boolean {
    return isDeleting(this.#workspace);
  }

  #send(operations: readonly JsonPatchOperation[], call: WriteOptions = {}): Promise<void> {
    const writing = { operations, status: call.subresource !== undefined };
    return reportingRefusal(this.host.observer, writing, () => this.#patch(operations, call));
  }

  async #patch(operations: readonly JsonPatchOperation[], call: WriteOptions): Promise<void> {
    const { client, killed, secrets } = this.host;
    const options = { ...call, signal: killed };
    const patch = redactWorkspacePatch({ type: 'json', operations }, (text) =>
      redactAndCut(text, maxReasonLength, (one) => secrets.redact(one)),
    );
    try {
      this.#see(await this.#orGone(client.patch(Workspace, this.key, patch, options)));
    } catch (error) {
      if (!(error instanceof InvalidError)) throw error;
      throw refusalOf(await this.refresh(), operations, error);
    }
  }

  async #orGone<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof NotFoundError) this.#isGone = true;
      throw error;
    }
  }

  #become(workspace: Workspace): void {
    this.#workspace = workspace;
    this.#mirror = undefined;
    this.host.fencingTokens.see(workspace, this.scope.type);
  }

  /** Keeps the newest version: responses to concurrent writes may arrive in any order. */
  #see(answer: Workspace): void {
    if (isOlder(this.#workspace.metadata.resourceVersion, answer.metadata.resourceVersion)) this.#become(answer);
  }
}

/** Refuses work on a condition that has another owner. @throws BusyError while the condition records external objects of another integration, which that one has to delete first */
export function refuseIfOwnedByOther({ entryOfOtherClaim, scope }: Pick<Session, 'entryOfOtherClaim' | 'scope'>): void {
  if (entryOfOtherClaim !== undefined && !recordsNothing(entryOfOtherClaim))
    throw new BusyError(`${scope.type}: what ${entryOfOtherClaim.claim} has made is recorded there, and goes first`);
}
