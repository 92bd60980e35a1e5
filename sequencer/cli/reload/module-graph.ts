/** The modules of a config, as they import each other, each with the number of its version. */
export class ModuleGraph {
  readonly #root: string;
  /** Importers by path; none for the root. */
  readonly #importers = new Map<string, Set<string>>();
  readonly #versions = new Map<string, number>();

  /** @param root path of the config */
  constructor(root: string) {
    this.#root = root;
    this.#importers.set(root, new Set());
  }

  has(path: string): boolean {
    return this.#importers.has(path);
  }

  /** Paths of all modules, missing ones that are imported among them. */
  get files(): ReadonlySet<string> {
    return new Set(this.#importers.keys());
  }

  /** Returns the version of a module: the number of changes of it and of its imports. */
  versionOf(path: string): number {
    return this.#versions.get(path) ?? 0;
  }

  get rootVersion(): number {
    return this.versionOf(this.#root);
  }

  /** Records that a module imports another one. */
  imports(importer: string, imported: string): void {
    const importers = this.#importers.get(imported) ?? new Set();
    importers.add(importer);
    this.#importers.set(imported, importers);
  }

  /**
   * Increments the versions of changed modules and of all direct and indirect importers; others keep their version and their state in memory.
   * @returns false when none of the paths is a module of the config
   */
  change(paths: Iterable<string>): boolean {
    const stale = new Set<string>();
    const visit = (path: string): void => {
      if (stale.has(path)) return;
      stale.add(path);
      for (const importer of this.#importers.get(path) ?? []) visit(importer);
    };
    for (const path of paths) if (this.has(path)) visit(path);
    for (const path of stale) this.#versions.set(path, this.versionOf(path) + 1);
    return stale.size > 0;
  }
}
