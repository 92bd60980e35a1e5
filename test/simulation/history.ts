import type { Workspace } from '../../sdk/index.ts';

/** What a workspace was at every moment of a life. */
export class History {
  readonly #now: () => number;
  readonly #versions: { readonly at: number; readonly workspace: Workspace }[] = [];

  /** @param now ms since the life began */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers a version; one that is known already is no other. */
  saw(workspace: Workspace): void {
    if (this.#versions.at(-1)?.workspace !== workspace) this.#versions.push({ at: this.#now(), workspace });
  }

  /** This very workspace as it was so many ms after the life began; undefined before it existed. */
  asOf(at: number, { metadata: { uid } }: Workspace): Workspace | undefined {
    return this.#versions.findLast((version) => version.at <= at && version.workspace.metadata.uid === uid)?.workspace;
  }
}
