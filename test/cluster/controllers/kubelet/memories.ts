/** State of the emulated nodes about their pods, kept in snapshots. */

import { keyOf } from '../../../../sdk/api/object.ts';
import type { ApiObject } from '../../objects/object.ts';

/** Result of a container's run. */
export interface Exit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
}

/** State of one pod. */
interface Memory {
  readonly uid: string;
  readonly times: Map<string, number>;
  readonly exits: Map<string, Exit>;
  address: string | undefined;
}

/** State of one pod, as JSON. */
interface KeptMemory {
  readonly uid: string;
  readonly times: readonly (readonly [what: string, at: number])[];
  readonly exits: readonly (readonly [run: string, exit: Exit])[];
  readonly address?: string;
}

/** State of all pods, as JSON: part of snapshots. */
export interface KeptMemories {
  /** Number of IPs allocated so far. */
  readonly addresses: number;
  /** States by `namespace/name`. */
  readonly pods: readonly (readonly [key: string, memory: KeptMemory])[];
}

/** State of pods that is not in the API: times of observations, results of runs, IPs. */
export class Memories {
  readonly #memories = new Map<string, Memory>();
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
    const memory = this.#of(pod);
    if (memory.address === undefined) {
      this.#addresses += 1;
      memory.address = `10.244.${this.#addresses >> 8}.${this.#addresses & 255}`;
    }
    return memory.address;
  }

  /** Returns the keys and uids of all known pods. */
  known(): readonly (readonly [key: string, uid: string])[] {
    return [...this.#memories].map(([key, { uid }]) => [key, uid]);
  }

  /** Drops the state of a deleted pod, by key (`namespace/name`). */
  forget(key: string): void {
    this.#memories.delete(key);
  }

  /** Returns all state as JSON. */
  kept(): KeptMemories {
    const pods = [...this.#memories].map(([key, { uid, times, exits, address }]) => {
      const kept = { uid, times: [...times], exits: [...exits], ...(address !== undefined && { address }) };
      return [key, kept] as const;
    });
    return { addresses: this.#addresses, pods };
  }

  /** Replaces all state. */
  take({ addresses, pods }: KeptMemories): void {
    this.#addresses = addresses;
    this.#memories.clear();
    for (const [key, { uid, times, exits, address }] of pods) {
      this.#memories.set(key, { uid, times: new Map(times), exits: new Map(exits), address });
    }
  }

  /** Returns the state of a pod, new if the uid differs from the known one. */
  #of({ metadata }: ApiObject): Memory {
    const key = keyOf(metadata);
    const known = this.#memories.get(key);
    if (known !== undefined && known.uid === metadata.uid) return known;
    const memory: Memory = { uid: metadata.uid ?? '', times: new Map(), exits: new Map(), address: undefined };
    this.#memories.set(key, memory);
    return memory;
  }
}
