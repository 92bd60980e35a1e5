/** Emulated kubelet: its options, and commands to its pods. */

import type { ApiObject } from '../../apimachinery/object.ts';
import { type PodTarget, targetMatcher } from './pod-name-pattern.ts';
import { type Exit, PodStates, type SavedPodStates } from './pod-state.ts';

/** Options of the emulated nodes; times are in ms by the cluster's clock, 0 is immediately. */
export interface KubeletOptions {
  /** Delay from creation until a pod is bound to a node. @default 0 */
  readonly pendingDelay?: number;
  /** Delay from binding until a pod runs and is ready. @default 0 */
  readonly readyDelay?: number;
  /** Delay from deletion until a pod has stopped, at most its grace period. @default 0 */
  readonly stopDelay?: number;
  /** Run time of the pods of Jobs; `false`: until they are stopped. @default 0; the given time for containers that only `sleep` */
  readonly taskDelay?: number | false;
  /** Node that pods are bound to while no Node objects exist. @default in-memory-node */
  readonly nodeName?: string;
  /** Names of the initial Node objects. @default none, but one of `nodeName` with `controllers: 'all'` */
  readonly nodes?: readonly string[];
  /** Records the Events of scheduler and kubelet. @default false, but true with `controllers: 'all'` */
  readonly events?: boolean;
  /** Returns the log text of a container, for `kubectl logs`. @default empty */
  readonly logs?: (pod: ApiObject, container: string) => string;
}

/** Failure of a container. */
export interface PodFailure {
  /** Reason such as `Error` or `OOMKilled`; with `ErrImagePull` or `ImagePullBackOff` the container never starts. @default Error */
  readonly reason?: string;
  /** @default 137 for OOMKilled, 1 for others */
  readonly exitCode?: number;
  readonly message?: string;
  /** Container that fails, possibly an init container. @default every container of the pod but its init containers */
  readonly container?: string;
  /** Number of failures before it runs normally. @default 1; Infinity for images that cannot be pulled */
  readonly times?: number;
}

/** Controls the emulated containers. A target is `namespace/name`; `*` stands for any characters. */
export interface PodControl {
  /** Fails containers: at once when they run, otherwise as soon as they do. They restart by restartPolicy, with back-off. */
  fail(target: PodTarget, failure?: PodFailure): Promise<void>;
  /** Lets the containers of existing pods exit with 0, once. */
  complete(target: PodTarget): Promise<void>;
  /** Removes the effects of `fail` and `unready`. */
  heal(target: PodTarget): Promise<void>;
  /** Makes pods unready while they run. */
  unready(target: PodTarget): Promise<void>;
  /** Evicts existing pods from their node: they become Failed with reason Evicted. */
  evict(target: PodTarget, message?: string): Promise<void>;
}

/** One run of one container. */
export interface Attempt {
  readonly pod: ApiObject;
  readonly container: string;
  /** Number of restarts before this run. */
  readonly number: number;
  /** True for an init container, which fails only when it is named. */
  readonly isInit?: boolean;
}

interface Plan {
  readonly target: PodTarget;
  readonly meant: (object: ApiObject) => boolean;
  readonly kind: 'exit' | 'image' | 'unready' | 'evict';
  readonly exit: Exit;
  readonly container: string | undefined;
  /** UIDs of the targeted pods; undefined for all, including future ones. */
  readonly uids?: ReadonlySet<string>;
  /** Containers of these pods that it has been applied to. */
  readonly done: Set<string>;
  left: number;
}

const podOf = (target: PodTarget): ApiObject => {
  const [namespace = '', name = ''] = target.split('/');
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } };
};

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];

/** State of the emulated nodes outside of the cluster: commands to pods, and times of observations. */
export class Kubelet {
  readonly options: KubeletOptions;
  readonly #plans: Plan[] = [];
  readonly #states = new PodStates();
  readonly #listeners = new Set<() => void>();

  constructor(options: KubeletOptions) {
    this.options = options;
  }

  /** Calls `listener` after each command. Returns a function that removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the time at which something was first observed of a pod, now if this is the first time. */
  since(pod: ApiObject, what: string, now: number): number {
    return this.#states.since(pod, what, now);
  }

  /** Returns a pod's IP, stable for its lifetime. */
  addressOf(pod: ApiObject): string {
    return this.#states.addressOf(pod);
  }

  /** Drops the state of a deleted pod, by key (`namespace/name`). */
  forget(key: string): void {
    this.#states.forget(key);
  }

  /** Returns the state of pods, for a snapshot, without pending commands. */
  kept(): SavedPodStates {
    return this.#states.kept();
  }

  /** Replaces the state of pods by that of a snapshot. */
  take(kept: SavedPodStates): void {
    this.#states.take(kept);
  }

  /** Returns the result of a run if it ends now, else undefined. The result of a run that has ended is stable. */
  exitOf({ pod, container, number, isInit = false }: Attempt): Exit | undefined {
    const exits = this.#states.exitsOf(pod);
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

  /** Returns the reason why a container's image cannot be pulled, if any. */
  imageProblem(pod: ApiObject, container: string): Exit | undefined {
    return this.#find('image', pod, container)?.exit;
  }

  isUnready(pod: ApiObject): boolean {
    return this.#find('unready', pod) !== undefined;
  }

  evictionOf(pod: ApiObject): string | undefined {
    return this.#find('evict', pod)?.exit.message;
  }

  /** Creates the commands; each resolves when `settle` does. */
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

  /** Returns the uids of the known pods that match a target. */
  #known(target: PodTarget): ReadonlySet<string> {
    const isMeant = targetMatcher(target);
    const known = this.#states.known().filter(([key]) => isMeant(podOf(key)));
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
