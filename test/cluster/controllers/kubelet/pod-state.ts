/** State of the emulated nodes about their pods, kept in snapshots. */

import { keyOf } from '../../../../sdk/api/object.ts';
import type { ApiObject } from '../../apimachinery/object.ts';

/** Result of a container's run. */
export interface Exit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
}

/** State of one pod. */
interface PodState {
  readonly uid: string;
  readonly times: Map<string, number>;
  readonly exits: Map<string, Exit>;
  address: string | undefined;
}

/** State of one pod, as JSON. */
interface SavedPodState {
  readonly uid: string;
  readonly times: readonly (readonly [what: string, at: number])[];
  readonly exits: readonly (readonly [run: string, exit: Exit])[];
  readonly address?: string;
}

/** State of all pods, as JSON: part of snapshots. */
export interface SavedPodStates {
  /** Number of IPs allocated so far. */
  readonly addresses: number;
  /** States by `namespace/name`. */
  readonly pods: readonly (readonly [key: string, memory: SavedPodState])[];
}

/** State of pods that is not in the API: times of observations, results of runs, IPs. */
export class PodStates {
  readonly #states = new Map<string, PodState>();
  #addresses = 0;

  /** Returns the time at which something was first observed of a pod, now if this is the first time. */
  since(pod: ApiObject, what: string, now: number): number {
    const { times } = this.#of(pod);
    const known = times.get(what) ?? now;
    times.set(what, known);
    return known;
  }

  /** Returns the results of a pod's runs, by container and run number. */
  exitsOf(pod: ApiObject): Map<string, Exit> {
    return this.#of(pod).exits;
  }

  /** Returns a pod's IP, stable for its lifetime. */
  addressOf(pod: ApiObject): string {
    const state = this.#of(pod);
    if (state.address === undefined) {
      this.#addresses += 1;
      state.address = `10.244.${this.#addresses >> 8}.${this.#addresses & 255}`;
    }
    return state.address;
  }

  /** Returns the keys and uids of all known pods. */
  known(): readonly (readonly [key: string, uid: string])[] {
    return [...this.#states].map(([key, { uid }]) => [key, uid]);
  }

  /** Drops the state of a deleted pod, by key (`namespace/name`). */
  forget(key: string): void {
    this.#states.delete(key);
  }

  /** Returns all state as JSON. */
  kept(): SavedPodStates {
    const pods = [...this.#states].map(([key, { uid, times, exits, address }]) => {
      const kept = { uid, times: [...times], exits: [...exits], ...(address !== undefined && { address }) };
      return [key, kept] as const;
    });
    return { addresses: this.#addresses, pods };
  }

  /** Replaces all state. */
  take({ addresses, pods }: SavedPodStates): void {
    this.#addresses = addresses;
    this.#states.clear();
    for (const [key, { uid, times, exits, address }] of pods) {
      this.#states.set(key, { uid, times: new Map(times), exits: new Map(exits), address });
    }
  }

  /** Returns the state of a pod, new if the uid differs from the known one. */
  #of({ metadata }: ApiObject): PodState {
    const key = keyOf(metadata);
    const known = this.#states.get(key);
    if (known !== undefined && known.uid === metadata.uid) return known;
    const state: PodState = { uid: metadata.uid ?? '', times: new Map(), exits: new Map(), address: undefined };
    this.#states.set(key, state);
    return state;
  }
}
