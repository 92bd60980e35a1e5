import { type ObjectKey, Workspace } from '../../../../sdk/index.ts';
import type { Arena } from '../processes/arena.ts';
import { workspaceKey } from '../processes/replica.ts';

type StatusWrite =
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'add'; readonly path: string; readonly value: object };

/** Writes of other clients, carried out at once. */
export class OtherClients {
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Merges into the metadata. */
  merge(metadata: object, key: ObjectKey = workspaceKey): Promise<void> {
    return this.patch({ metadata }, key);
  }

  async patch(value: object, key: ObjectKey = workspaceKey): Promise<void> {
    await this.#arena.foreign.patch(Workspace, key, { type: 'merge', value });
  }

  async status(operations: readonly StatusWrite[], key: ObjectKey = workspaceKey): Promise<void> {
    await this.#arena.foreign.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  }
}
