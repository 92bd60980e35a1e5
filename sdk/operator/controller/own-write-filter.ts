/** Maximum number of remembered resourceVersions of own writes. A forgotten one counts as another client's, which costs one extra run. */
const maxVersions = 16_384;

/**
 * Filters changes caused by the controller's own writes, for reconcilers that read their own writes back. A change that
 * arrives during a run of its key is classified when that run has ended, since the response may come later than the event.
 */
export class OwnWriteFilter {
  readonly #versions = new Set<string>();
  /** Versions by key that arrived during a run of the key and are not classified yet. */
  readonly #unclassified = new Map<string, string[]>();

  /** Records the resourceVersion of a response to an own write. */
  wrote(version: string | undefined): void {
    if (version === undefined) return;
    this.#versions.add(version);
    if (this.#versions.size > maxVersions) this.#versions.delete(this.#versions.values().next().value as string);
  }

  /** Treats a version as another client's: a run may have begun without it. */
  forget(version: string): void {
    this.#versions.delete(version);
  }

  /** Marks the start of a run of `key`. */
  begin(key: string): void {
    this.#unclassified.set(key, []);
  }

  /** Reports whether a change asks for a run of `key` now. */
  causesRun(key: string, version: string | undefined): boolean {
    if (version === undefined) return true;
    const unclassified = this.#unclassified.get(key);
    if (unclassified === undefined) return !this.#versions.has(version);
    unclassified.push(version);
    return false;
  }

  /** Marks the end of a run of `key`. @returns whether changes of other clients arrived meanwhile */
  end(key: string): boolean {
    const unclassified = this.#unclassified.get(key) ?? [];
    this.#unclassified.delete(key);
    return unclassified.some((version) => !this.#versions.has(version));
  }
}
