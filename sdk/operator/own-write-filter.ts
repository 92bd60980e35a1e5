/** How many of our own versions are remembered; an older one is taken for somebody else's, which costs a run and nothing more. */
const mostVersions = 16_384;

/**
 * Tells changes that we made ourselves from those of others, for reconcilers that look again by themselves after they have written. A change that
 * comes while its key runs is decided when that run has ended, since its answer may come later than its event.
 */
export class OwnWriteFilter {
  readonly #versions = new Set<string>();
  /** Versions that came while their key ran, to be decided. */
  readonly #undecided = new Map<string, string[]>();

  /** Notes the version of an answer to our own write. */
  wrote(version: string | undefined): void {
    if (version === undefined) return;
    this.#versions.add(version);
    if (this.#versions.size > mostVersions) this.#versions.delete(this.#versions.values().next().value as string);
  }

  /** A run of `key` begins. */
  begin(key: string): void {
    this.#undecided.set(key, []);
  }

  /** Whether a change asks for a run of `key` now. */
  asks(key: string, version: string | undefined): boolean {
    if (version === undefined) return true;
    const undecided = this.#undecided.get(key);
    if (undecided === undefined) return !this.#versions.has(version);
    undecided.push(version);
    return false;
  }

  /** A run of `key` has ended. @returns whether something came meanwhile that was not ours */
  end(key: string): boolean {
    const undecided = this.#undecided.get(key) ?? [];
    this.#undecided.delete(key);
    return undecided.some((version) => !this.#versions.has(version));
  }
}
