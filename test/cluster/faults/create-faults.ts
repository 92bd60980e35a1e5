import { attributesOf } from '../http/attributes.ts';
import type { Handler } from '../http/message.ts';
import type { Machinery } from '../machinery.ts';
import { type Armed, armed } from './armed.ts';
import {
  type Add,
  type CacheFaults,
  type ClientFaults,
  type Fault,
  type FaultPoint,
  requestFaults,
  type WatchFaults,
  watchFaults,
} from './fluent.ts';
import type { OpenWatches } from './open-watches.ts';
import { readSentence, sentenceOf } from './sentence.ts';
import { checkFault, type FaultSpec, neverHappens } from './spec.ts';
import { type FaultScope, type FaultVerb, matcherOf } from './target.ts';

/** Breaks a cluster on demand. */
export interface Faults {
  /**
   * Names the requests that a fault is for: a verb of RBAC, and a plural such as `workspaces`, `workspaces/status`, `deployments.apps` or `*`.
   * Throws a TypeError when no request could ever match.
   */
  on(verb: FaultVerb, resource: string, scope?: FaultScope): FaultPoint;
  /** Names watches in the same way. */
  watches(resource: string, scope?: FaultScope): WatchFaults;
  /** Names what the cache holds in the same way. */
  cache(resource: string, scope?: FaultScope): CacheFaults;
  /** Names a client, by its user or its user agent. Throws a TypeError when neither is given. */
  client(scope: FaultScope): ClientFaults;
  /** Sets a fault that is data, or a sentence such as `patch workspaces/status after commit drop, once`. Throws a TypeError for what is none, or can never happen. */
  add(fault: FaultSpec | string): Fault;
  /** The faults that are set, oldest first. */
  list(): readonly Fault[];
  /** Takes all faults away; what was held by hand stays so until it is released. */
  clear(): void;
}

/** The faults of one cluster, with the handler that they happen in. */
export interface FaultBox {
  readonly faults: Faults;
  /** The handler with the faults that are set around it. */
  handle(core: Handler): Handler;
}

type Names = Pick<Faults, 'on' | 'watches' | 'cache' | 'client'>;

/** The first word of each sentence. */
const namesOf = (add: Add, machinery: () => Machinery, watches: OpenWatches): Names => ({
  on(verb, resource, scope = {}) {
    matcherOf(machinery().registry, verb, resource)(scope);
    return requestFaults(add, { on: verb, resource, scope });
  },
  watches(resource, scope = {}) {
    const matches = matcherOf(machinery().registry, 'watch', resource)(scope);
    return {
      ...watchFaults(add, resource, scope),
      drop: () => watches.end(matches, 'drop'),
      expire: () => watches.end(matches, 'expire'),
      hold: () => watches.hold(matches),
    };
  },
  cache(resource, scope = {}) {
    matcherOf(machinery().registry, 'list', resource)(scope);
    return {
      freeze: () => add({ cache: resource, scope, do: 'freeze' }),
      behind: (behind) => add({ cache: resource, scope, do: { behind } }),
    };
  },
  client(scope) {
    if (scope.user === undefined && scope.userAgent === undefined) {
      throw neverHappens('a client is named by its user or its userAgent');
    }
    return { crash: (crash) => add({ client: scope, do: { crash } }) };
  },
});

/** A box without faults; `machinery` is asked each time, since a restore puts another one in its place. */
export function createFaults(machinery: () => Machinery, watches: OpenWatches): FaultBox {
  const set = new Map<Fault, Armed>();
  let last = 0;
  const add = (given: FaultSpec | string): Fault => {
    const spec = typeof given === 'string' ? readSentence(given) : given;
    checkFault(spec);
    const one = armed(spec, machinery, watches);
    last += 1;
    const fault: Fault = {
      id: last,
      sentence: sentenceOf(spec),
      spec,
      get hits() {
        return one.hits();
      },
      remove() {
        if (set.delete(fault)) one.disarm();
      },
    };
    set.set(fault, one);
    return fault;
  };
  const faults: Faults = {
    ...namesOf(add, machinery, watches),
    add,
    list: () => [...set.keys()],
    clear() {
      for (const fault of set.keys()) fault.remove();
    },
  };
  return {
    faults,
    handle: (core) => (request) => {
      if (set.size === 0) return core(request);
      const attributes = attributesOf(request.method, request.url);
      const chain = [...set.values()].reduceRight<Handler>((next, { effectOn }) => {
        const effect = effectOn(attributes, request);
        return effect === undefined ? next : (one) => effect(one, next);
      }, core);
      return chain(request);
    },
  };
}
