import type { Workspace } from '../../../../sdk/index.ts';

/** Versions of the workspaces during a life. */
export class History {
  readonly #now: () => number;
  readonly #versions: { readonly at: number; readonly workspace: Workspace }[] = [];

  /** @param now ms since the start of the life */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a version; a known one is ignored. */
  saw(workspace: Workspace): void {
    if (this.#versions.at(-1)?.workspace !== workspace) this.#versions.push({ at: this.#now(), workspace });
  }

  /** Returns this workspace (by uid) as of the given ms since the start of the life; undefined before it existed. */
  asOf(at: number, { metadata: { uid } }: Workspace): Workspace | undefined {
    return this.#versions.findLast((version) => version.at <= at && version.workspace.metadata.uid === uid)?.workspace;
  }
}
