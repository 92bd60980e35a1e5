import { isDeleting, keyOf, type ObjectKey, objectKeyOf } from '../api/object.ts';
import type { JsonPatchOperation } from '../api/patch.ts';
import { Workspace } from '../api/workspace.ts';
import type { Patch } from '../client/client.ts';
import { isOlder } from '../client/version.ts';
import { StaleError } from '../errors.ts';
import type { ProviderHost } from './host.ts';
import type { Limits } from './limits.ts';
import type { Policy } from './policy.ts';
import { redactedPatch } from './redacted-patch.ts';

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

  /** Sends a JSON patch of the status; nothing when there is nothing to change. */
  async patchStatus(operations: readonly JsonPatchOperation[]): Promise<void> {
    if (operations.length === 0) return;
    await this.#patch({ type: 'json', operations }, 'status');
  }

  /** Sends a patch of the main resource. */
  async patchMain(patch: Patch): Promise<void> {
    await this.#patch(patch);
  }

  /** Reads the workspace live. @throws StaleError if another one has taken its name, NotFoundError if it is gone */
  async refresh(): Promise<Workspace> {
    const read = await this.host.client.get(Workspace, this.key, { signal: this.host.killed });
    if (read.metadata.uid !== this.#workspace.metadata.uid)
      throw new StaleError(`workspace ${keyOf(this.key)} was deleted and made again`);
    this.#workspace = read;
    return read;
  }

  /** Whether deletion was asked for, as far as this session has seen. */
  get deleting(): boolean {
    return isDeleting(this.#workspace);
  }

  async #patch(patch: Patch, subresource?: 'status'): Promise<void> {
    const { client, killed, secrets } = this.host;
    const redacted = redactedPatch(patch, (text) => secrets.redact(text));
    this.#see(
      await client.patch(Workspace, this.key, redacted, { signal: killed, ...(subresource && { subresource }) }),
    );
  }

  /** Answers of writes side by side may come in any order: the newest wins. */
  #see(answer: Workspace): void {
    if (isOlder(this.#workspace.metadata.resourceVersion, answer.metadata.resourceVersion)) this.#workspace = answer;
  }
}
