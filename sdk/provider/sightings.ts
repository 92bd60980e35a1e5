import type { Clock } from '../clock.ts';

interface Sighting {
  readonly fingerprint: string;
  readonly since: number;
}

/** Observed states with their times on this process's monotonic clock: wall clocks of two machines are never compared. */
export class Sightings {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Map<string, Sighting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the ms since `slot` of `owner` was first observed with this fingerprint; 0 when it has changed or is new. */
  unmovedFor(owner: string, slot: string, fingerprint: string): number {
    const now = this.#clock.monotonic();
    let slots = this.#seen.get(owner);
    if (slots === undefined) {
      slots = new Map();
      this.#seen.set(owner, slots);
    }
    const seen = slots.get(slot);
    if (seen?.fingerprint === fingerprint) return now - seen.since;
    slots.set(slot, { fingerprint, since: now });
    return 0;
  }

  /** Removes all records of an owner that is gone. */
  forget(owner: string): void {
    this.#seen.delete(owner);
  }
}
