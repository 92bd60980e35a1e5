import { keyOf } from '../../../../sdk/api/object.ts';
import type { ApiObject } from '../../objects/object.ts';

/** How one run of a container ends. */
export interface Exit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
}

/** What the nodes remember of one pod. */
interface Memory {
  readonly uid: string;
  readonly times: Map<string, number>;
  readonly exits: Map<string, Exit>;
  address: string | undefined;
}

/** What the nodes remember of one pod, as JSON. */
interface KeptMemory {
  readonly uid: string;
  readonly times: readonly (readonly [what: string, at: number])[];
  readonly exits: readonly (readonly [run: string, exit: Exit])[];
  readonly address?: string;
}

/** What the nodes remember, as JSON: part of snapshots. */
export interface KeptMemories {
  /** How many addresses they have given. */
  readonly addresses: number;
  /** By `namespace/name`. */
  readonly pods: readonly (readonly [key: string, memory: KeptMemory])[];
}

/** What the nodes remember of pods besides what is in the cluster: when they saw what, how runs ended, addresses. */
export class Memories {
  readonly #memories = new Map<string, Memory>();
  #addresses = 0;

  /** When something was first seen of a pod; now, when it is the first time. */
  since(pod: ApiObject, what: string, now: number): number {
    const { times } = this.#of(pod);
    const known = times.get(what) ?? now;
    times.set(what, known);
    return known;
  }

  /** How the runs of a pod's containers have ended, by container and number. */
  exitsOf(pod: ApiObject): Map<string, Exit> {
    return this.#of(pod).exits;
  }

  /** A pod's address, always the same. */
  addressOf(pod: ApiObject): string {
    const memory = this.#of(pod);
    if (memory.address === undefined) {
      this.#addresses += 1;
      memory.address = `10.244.${this.#addresses >> 8}.${this.#addresses & 255}`;
    }
    return memory.address;
  }

  /** Keys and uids of all pods that are remembered. */
  known(): readonly (readonly [key: string, uid: string])[] {
    return [...this.#memories].map(([key, { uid }]) => [key, uid]);
  }

  /** Forgets the pod of a key (`namespace/name`), which has gone. */
  forget(key: string): void {
    this.#memories.delete(key);
  }

  /** Everything, as JSON. */
  kept(): KeptMemories {
    const pods = [...this.#memories].map(([key, { uid, times, exits, address }]) => {
      const kept = { uid, times: [...times], exits: [...exits], ...(address !== undefined && { address }) };
      return [key, kept] as const;
    });
    return { addresses: this.#addresses, pods };
  }

  /** Remembers what was kept, and nothing else. */
  take({ addresses, pods }: KeptMemories): void {
    this.#addresses = addresses;
    this.#memories.clear();
    for (const [key, { uid, times, exits, address }] of pods) {
      this.#memories.set(key, { uid, times: new Map(times), exits: new Map(exits), address });
    }
  }

  /** What is remembered of a pod; another one of its name is another one. */
  #of({ metadata }: ApiObject): Memory {
    const key = keyOf(metadata);
    const known = this.#memories.get(key);
    if (known !== undefined && known.uid === metadata.uid) return known;
    const memory: Memory = { uid: metadata.uid ?? '', times: new Map(), exits: new Map(), address: undefined };
    this.#memories.set(key, memory);
    return memory;
  }
}
