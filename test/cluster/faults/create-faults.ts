/** Fault injection into a cluster. */

import { attributesOf } from '../requests/attributes.ts';
import type { Handler } from '../requests/message.ts';
import type { ServerContext } from '../server/server-context.ts';
import { type ActiveFault, activateFault } from './active-faults.ts';
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
import { type FaultScope, type FaultVerb, matcherOf } from './request-matcher.ts';
import { readSentence, sentenceOf } from './sentence.ts';
import { checkFault, type FaultSpec, impossibleFault } from './spec.ts';

/** Fault injection interface of a cluster. */
export interface Faults {
  /**
   * Selects requests: an RBAC verb, and a plural such as `workspaces`, `workspaces/status`, `deployments.apps` or `*`.
   * Throws a TypeError when no request could ever match.
   */
  on(verb: FaultVerb, resource: string, scope?: FaultScope): FaultPoint;
  /** Selects watches, likewise. */
  watches(resource: string, scope?: FaultScope): WatchFaults;
  /** Selects cached lists and watches, likewise. */
  cache(resource: string, scope?: FaultScope): CacheFaults;
  /** Selects a client by user or user agent. Throws a TypeError when neither is given. */
  client(scope: FaultScope): ClientFaults;
  /**
   * Adds a fault, as data or as a sentence such as `patch workspaces/status after commit drop, once`. Throws a
   * TypeError for an invalid or impossible fault.
   */
  add(fault: FaultSpec | string): Fault;
  /** Returns the active faults, oldest first. */
  list(): readonly Fault[];
  /** Removes all faults; watches held by {@link WatchFaults.hold} stay held until released. */
  clear(): void;
}

/** Faults of a cluster, with the handler that applies them. */
export interface FaultInjection {
  readonly faults: Faults;
  /** Wraps a handler in the active faults. */
  handle(core: Handler): Handler;
}

type FluentFaults = Pick<Faults, 'on' | 'watches' | 'cache' | 'client'>;

/** Creates the fluent entry points. */
const fluentFaultsOf = (add: Add, server: () => ServerContext, watches: OpenWatches): FluentFaults => ({
  on(verb, resource, scope = {}) {
    matcherOf(server().registry, verb, resource)(scope);
    return requestFaults(add, { on: verb, resource, scope });
  },
  watches(resource, scope = {}) {
    const matches = matcherOf(server().registry, 'watch', resource)(scope);
    return {
      ...watchFaults(add, resource, scope),
      drop: () => watches.end(matches, 'drop'),
      expire: () => watches.end(matches, 'expire'),
      hold: () => watches.hold(matches),
    };
  },
  cache(resource, scope = {}) {
    matcherOf(server().registry, 'list', resource)(scope);
    return {
      freeze: () => add({ cache: resource, scope, do: 'freeze' }),
      behind: (behind) => add({ cache: resource, scope, do: { behind } }),
    };
  },
  client(scope) {
    if (scope.user === undefined && scope.userAgent === undefined) {
      throw impossibleFault('a client is named by its user or its userAgent');
    }
    return { crash: (crash) => add({ client: scope, do: { crash } }) };
  },
});

/** Creates a cluster's faults, initially none; `server` is called each time, because a restore replaces it. */
export function createFaults(server: () => ServerContext, watches: OpenWatches): FaultInjection {
  const set = new Map<Fault, ActiveFault>();
  let last = 0;
  const add = (given: FaultSpec | string): Fault => {
    const spec = typeof given === 'string' ? readSentence(given) : given;
    checkFault(spec);
    const one = activateFault(spec, server, watches);
    last += 1;
    const fault: Fault = {
      id: last,
      sentence: sentenceOf(spec),
      spec,
      get hits() {
        return one.hits();
      },
      remove() {
        if (set.delete(fault)) one.deactivate();
      },
    };
    set.set(fault, one);
    return fault;
  };
  const faults: Faults = {
    ...fluentFaultsOf(add, server, watches),
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
