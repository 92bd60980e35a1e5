import { isDeleting, keyOf, type ObjectKey, objectKeyOf } from '../api/object.ts';
import type { JsonPatchOperation } from '../api/patch.ts';
import { type GuardEntry, Workspace } from '../api/workspace.ts';
import { refusalOf } from '../client/patch-tested.ts';
import { isOlder } from '../client/version.ts';
import { InvalidError, NotFoundError, StaleError } from '../errors.ts';
import type { ProviderHost } from './host.ts';
import type { Limits } from './limits.ts';
import { believedEntry, formerUids, type Mirror, readMirror } from './mirror-record.ts';
import type { Policy } from './policy.ts';
import { redactedPatch } from './redacted-patch.ts';
import { tellingRefusal } from './refusals.ts';

/** What a controller is about: one condition of one workspace, claimed by one integration. */
export interface Scope {
  /** The condition's type. */
  readonly type: string;
  /** The integration's finalizer. */
  readonly claim: string;
  /** Connected to take things away. */
  readonly terminating: boolean;
  /** What may be done about things outside. @default 'manage' */
  readonly policy?: Policy;
  /** How often the third party may be called. @default however often there is something to do */
  readonly limits?: Limits | undefined;
}

/** One controller's sight of its workspace: as read, then as every own write answered. Writes go through here, so that it never falls behind itself. */
export class Session {
  readonly host: ProviderHost;
  readonly scope: Scope;
  #workspace: Workspace;
  #mirror: Mirror | undefined;
  #isGone = false;
  /** An attempt of this session is at work: another one inside it would wait for itself. */
  guarding = false;

  constructor(host: ProviderHost, workspace: Workspace, scope: Scope) {
    this.host = host;
    this.scope = scope;
    this.#workspace = workspace;
  }

  get workspace(): Workspace {
    return this.#workspace;
  }

  get key(): ObjectKey {
    return objectKeyOf(this.#workspace);
  }

  /** Names the guarded slot among all of this process. */
  get slot(): string {
    return `${this.#workspace.metadata.uid}/${this.scope.type}`;
  }

  /** The workspace is away, or another one has taken its name. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** What the mirror of the condition is worth. */
  get mirror(): Mirror {
    this.#mirror ??= readMirror(this.host.seal(), this.#workspace, this.scope.type);
    return this.#mirror;
  }

  /** The journal entry of the condition as it stands in the status: what a patch tests. */
  get written(): GuardEntry | undefined {
    return this.#workspace.status?.guards?.[this.scope.type];
  }

  /** The journal entry of the condition, as far as it can be believed. */
  get entry(): GuardEntry | undefined {
    return believedEntry(this.written, this.mirror);
  }

  /** Earlier uids of the workspace, before it was restored from a backup; the latest last. */
  get formerly(): readonly string[] {
    return formerUids(this.mirror, this.entry?.formerly);
  }

  /**
   * Sends a JSON patch of the status; nothing when there is nothing to change.
   * @throws StaleError when a test does not hold: the workspace is read anew; RefusedError when all do and the server still says no
   */
  async patchStatus(operations: readonly JsonPatchOperation[]): Promise<void> {
    if (operations.length > 0) await this.#send(operations, 'status');
  }

  /** Sends a JSON patch of the main resource. @throws StaleError, RefusedError as {@link patchStatus} */
  async patchMain(operations: readonly JsonPatchOperation[]): Promise<void> {
    if (operations.length > 0) await this.#send(operations);
  }

  /** Reads the workspace live. @throws StaleError if another one has taken its name, NotFoundError if it is gone */
  async refresh(): Promise<Workspace> {
    const read = await this.#orGone(this.host.client.get(Workspace, this.key, { signal: this.host.killed }));
    this.#isGone = read.metadata.uid !== this.#workspace.metadata.uid;
    if (this.#isGone) throw new StaleError(`workspace ${keyOf(this.key)} was deleted and made again`);
    this.#become(read);
    return read;
  }

  /** Whether deletion was asked for, as far as this session has seen. */
  get deleting(): boolean {
    return isDeleting(this.#workspace);
  }

  #send(operations: readonly JsonPatchOperation[], subresource?: 'status'): Promise<void> {
    const writing = { operations, status: subresource !== undefined };
    return tellingRefusal(this.host.observer, writing, () => this.#patch(operations, subresource));
  }

  async #patch(operations: readonly JsonPatchOperation[], subresource?: 'status'): Promise<void> {
    const { client, killed, secrets } = this.host;
    const options = { signal: killed, ...(subresource && { subresource }) };
    const patch = redactedPatch({ type: 'json', operations }, (text) => secrets.redact(text));
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
  }

  /** Answers of writes side by side may come in any order: the newest wins. */
  #see(answer: Workspace): void {
    if (isOlder(this.#workspace.metadata.resourceVersion, answer.metadata.resourceVersion)) this.#become(answer);
  }
}
