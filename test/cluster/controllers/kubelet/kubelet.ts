import type { ApiObject } from '../../objects/object.ts';
import { type Exit, type KeptMemories, Memories } from './memories.ts';
import { type PodTarget, targetMatcher } from './target.ts';

/** How the pretended nodes behave; all times in ms by the cluster's clock, 0 is at once. */
export interface KubeletOptions {
  /** From creation until a pod is bound to a node. @default 0 */
  readonly pendingDelay?: number;
  /** From being bound until a pod runs and is ready. @default 0 */
  readonly readyDelay?: number;
  /** From deletion until a pod has stopped; never longer than its grace period. @default 0 */
  readonly stopDelay?: number;
  /** How long the pods of Jobs run before they complete; `false`: until they are told to. @default 0, but as long as they say for containers that only `sleep` */
  readonly taskDelay?: number | false;
  /** The node that pods are bound to while there are no Node objects. @default in-memory-node */
  readonly nodeName?: string;
  /** Node objects that are there from the start. @default none, but one of `nodeName` with `controllers: 'all'` */
  readonly nodes?: readonly string[];
  /** Whether scheduler and kubelet tell what they do by Events. @default false, but true with `controllers: 'all'` */
  readonly events?: boolean;
  /** What `kubectl logs` shows of a container. @default nothing */
  readonly logs?: (pod: ApiObject, container: string) => string;
}

/** How a container fails. */
export interface PodFailure {
  /** `Error`, `OOMKilled` and the like; with `ErrImagePull` or `ImagePullBackOff` it never starts. @default Error */
  readonly reason?: string;
  /** @default 137 for OOMKilled, 1 for others */
  readonly exitCode?: number;
  readonly message?: string;
  /** Only this one, which may be an init container. @default every container of the pod but its init containers */
  readonly container?: string;
  /** How many times it fails before it runs well. @default 1; Infinity for images that cannot be pulled */
  readonly times?: number;
}

/** Tells pods what to do, as their containers would. A target is `namespace/name`; `*` stands for any characters. */
export interface PodControl {
  /** Containers fail: at once when they run, else as soon as they do. Restarted by restartPolicy, with back-off. */
  fail(target: PodTarget, failure?: PodFailure): Promise<void>;
  /** Containers of pods that are there now exit with 0, once. */
  complete(target: PodTarget): Promise<void>;
  /** Takes away what `fail` and `unready` said before. */
  heal(target: PodTarget): Promise<void>;
  /** Pods run, but are not ready. */
  unready(target: PodTarget): Promise<void>;
  /** The node evicts the pods that it runs now: they end as Failed, reason Evicted. */
  evict(target: PodTarget, message?: string): Promise<void>;
}

/** One run of one container. */
export interface Attempt {
  readonly pod: ApiObject;
  readonly container: string;
  /** 0 for the first. */
  readonly number: number;
  /** Whether it is one of an init container, which only ends otherwise than well when it is named. */
  readonly isInit?: boolean;
}

interface Plan {
  readonly target: PodTarget;
  readonly meant: (object: ApiObject) => boolean;
  readonly kind: 'exit' | 'image' | 'unready' | 'evict';
  readonly exit: Exit;
  readonly container: string | undefined;
  /** Which pods; undefined for all that there will ever be. */
  readonly uids?: ReadonlySet<string>;
  /** For which containers of these it has happened. */
  readonly done: Set<string>;
  left: number;
}

const podOf = (target: PodTarget): ApiObject => {
  const [namespace = '', name = ''] = target.split('/');
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } };
};

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];

/** What the pretended nodes know besides what is in the cluster: what was asked of pods, and when they saw what. */
export class Kubelet {
  readonly options: KubeletOptions;
  readonly #plans: Plan[] = [];
  readonly #memories = new Memories();
  readonly #listeners = new Set<() => void>();

  constructor(options: KubeletOptions) {
    this.options = options;
  }

  /** Calls `listener` when something was asked of pods, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** When something was first seen of a pod; now, when it is the first time. */
  since(pod: ApiObject, what: string, now: number): number {
    return this.#memories.since(pod, what, now);
  }

  /** A pod's address, always the same. */
  addressOf(pod: ApiObject): string {
    return this.#memories.addressOf(pod);
  }

  /** Forgets the pod of a key (`namespace/name`), which has gone. */
  forget(key: string): void {
    this.#memories.forget(key);
  }

  /** What it remembers of pods, for a snapshot; not what was asked of them. */
  kept(): KeptMemories {
    return this.#memories.kept();
  }

  /** Remembers what a snapshot has, and nothing else of pods. */
  take(kept: KeptMemories): void {
    this.#memories.take(kept);
  }

  /** How a run of a container ends now; undefined when it goes on. The answer to an attempt that ends stays the same. */
  exitOf({ pod, container, number, isInit = false }: Attempt): Exit | undefined {
    const exits = this.#memories.exitsOf(pod);
    const key = `${container} ${number}`;
    const found = exits.has(key) ? undefined : this.#find('exit', pod, container);
    const plan = isInit && found?.container === undefined ? undefined : found;
    if (plan !== undefined) {
      plan.left -= 1;
      plan.done.add(`${pod.metadata.uid} ${container}`);
      exits.set(key, plan.exit);
    }
    return exits.get(key);
  }

  /** Why the image of a container cannot be pulled; undefined when it can. */
  imageProblem(pod: ApiObject, container: string): Exit | undefined {
    return this.#find('image', pod, container)?.exit;
  }

  isUnready(pod: ApiObject): boolean {
    return this.#find('unready', pod) !== undefined;
  }

  evictionOf(pod: ApiObject): string | undefined {
    return this.#find('evict', pod)?.exit.message;
  }

  /** The commands; each resolves when `settle` does. */
  control(settle: () => Promise<void>): PodControl {
    const add = async (target: PodTarget, plan: Omit<Plan, 'meant' | 'target' | 'done'>): Promise<void> => {
      this.#plans.push({ ...plan, target, meant: targetMatcher(target), done: new Set() });
      for (const listener of this.#listeners) listener();
      await settle();
    };
    const done = { exitCode: 0, reason: 'Completed' };
    const forever = { container: undefined, left: Number.POSITIVE_INFINITY };
    return {
      async fail(target, failure = {}) {
        const { reason = 'Error', container, message } = failure;
        const kind = imageReasons.includes(reason) ? 'image' : 'exit';
        const { exitCode = reason === 'OOMKilled' ? 137 : 1, times = kind === 'image' ? Infinity : 1 } = failure;
        if (kind === 'exit' && exitCode === 0) throw new TypeError('a failure has an exitCode other than 0');
        const exit = { exitCode, reason, ...(message !== undefined && { message }) };
        await add(target, { kind, exit, container, left: times });
      },
      complete: async (target) => add(target, { kind: 'exit', exit: done, ...forever, uids: this.#known(target) }),
      unready: (target) => add(target, { kind: 'unready', exit: done, ...forever }),
      evict: async (target, message = 'The node was low on resource: memory.') =>
        add(target, { kind: 'evict', exit: { ...done, message }, ...forever, uids: this.#known(target) }),
      heal: async (target) => {
        const covers = targetMatcher(target);
        const isHealed = (plan: Plan): boolean => plan.target === target || covers(podOf(plan.target));
        const kept = this.#plans.filter((plan) => !isHealed(plan));
        this.#plans.splice(0, this.#plans.length, ...kept);
        for (const listener of this.#listeners) listener();
        await settle();
      },
    };
  }

  /** The uids of the pods that are meant now. */
  #known(target: PodTarget): ReadonlySet<string> {
    const isMeant = targetMatcher(target);
    const known = this.#memories.known().filter(([key]) => isMeant(podOf(key)));
    return new Set(known.map(([, uid]) => uid));
  }

  #find(kind: Plan['kind'], pod: ApiObject, container?: string): Plan | undefined {
    return this.#plans.find(
      (plan) =>
        plan.kind === kind &&
        plan.left > 0 &&
        plan.meant(pod) &&
        (plan.uids === undefined || plan.uids.has(pod.metadata.uid ?? '')) &&
        !(plan.uids !== undefined && plan.done.has(`${pod.metadata.uid} ${container}`)) &&
        (plan.container === undefined || plan.container === container),
    );
  }
}
