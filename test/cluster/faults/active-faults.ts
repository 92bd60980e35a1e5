/** Turns fault specs into effects on requests and watches. */

import type { Attributes } from '../requests/attributes.ts';
import type { ApiRequest } from '../requests/message.ts';
import type { ServerContext } from '../server/server-context.ts';
import type { OpenWatches } from './open-watches.ts';
import {
  answerEffect,
  crashEffect,
  cutEffect,
  delayEffect,
  disconnectEffect,
  type Effect,
  type Moment,
  refuseStreamingEffect,
  staleListEffect,
} from './request-effects.ts';
import { isInScopeOf, type Matches, matcherOf } from './request-matcher.ts';
import type {
  CacheFault,
  ClientFault,
  FaultLimits,
  FaultSpec,
  RequestAction,
  RequestFault,
  WatchFault,
} from './spec.ts';
import { impossibleFault } from './spec.ts';
import { streamEffectOf } from './watch-stream-effects.ts';

/** Active fault. */
export interface ActiveFault {
  /** Returns the effect on a request, if any, and counts it. */
  readonly effectOn: (attributes: Attributes, request: ApiRequest) => Effect | undefined;
  readonly hits: () => number;
  readonly deactivate: () => void;
}

interface Counter {
  readonly shouldHit: () => boolean;
  readonly hits: () => number;
}

/** Counts the matching requests or events, and decides which of them the fault hits. */
function counterOf(
  { times = Number.POSITIVE_INFINITY, skip = 0, probability = 1 }: FaultLimits,
  random: () => number,
): Counter {
  let seen = 0;
  let hits = 0;
  return {
    hits: () => hits,
    shouldHit() {
      seen += 1;
      if (hits >= times || seen <= skip || (probability < 1 && random() >= probability)) return false;
      hits += 1;
      return true;
    },
  };
}

const nothing = (): void => {};

function requestEffect(action: RequestAction, moment: Moment, { clock }: ServerContext): Effect {
  if (action === 'cut') return cutEffect;
  if (typeof action === 'string') return disconnectEffect(moment, action === 'drop' ? 'closed' : 'reset');
  if ('delay' in action) return delayEffect(moment, clock, action.delay);
  return answerEffect(moment, typeof action.answer === 'number' ? { code: action.answer } : action.answer);
}

/** Applies an effect to matching requests, as often as the counter permits. */
const onRequests = (matches: Matches, effect: Effect, { shouldHit, hits }: Counter): ActiveFault => ({
  effectOn: (attributes, request) => (matches(attributes, request) && shouldHit() ? effect : undefined),
  hits,
  deactivate: nothing,
});

type CurrentServer = () => ServerContext;

function activateRequestFault(spec: RequestFault, current: CurrentServer): ActiveFault {
  const { on, resource, scope = {}, when = 'before', do: action } = spec;
  const matches = matcherOf(current().registry, on, resource)(scope);
  const counter = counterOf(spec, () => current().random());
  return onRequests(matches, requestEffect(action, when, current()), counter);
}

function activateWatchFault(spec: WatchFault, current: CurrentServer, watches: OpenWatches): ActiveFault {
  const { watches: resource, scope = {}, do: action } = spec;
  const matches = matcherOf(current().registry, 'watch', resource)(scope);
  const counter = counterOf(spec, () => current().random());
  if (action === 'refuse-streaming') return onRequests(matches, refuseStreamingEffect, counter);
  const effect = streamEffectOf(action, counter.shouldHit);
  const disarm = effect === undefined ? watches.hold(matches).release : watches.applyEffect(matches, effect);
  return { effectOn: () => undefined, hits: counter.hits, deactivate: () => disarm() };
}

function activateCacheFault(
  { cache, scope = {}, do: action }: CacheFault,
  current: CurrentServer,
  watches: OpenWatches,
): ActiveFault {
  const matches = matcherOf(current().registry, 'list', cache)(scope);
  const frozen = current().store.revision;
  const wanted = () => (action === 'freeze' ? frozen : current().store.revision - action.behind);
  const effect = staleListEffect(() => Math.max(wanted(), current().store.oldest));
  const hold = action === 'freeze' ? watches.hold(matcherOf(current().registry, 'watch', cache)(scope)) : undefined;
  const lists = onRequests(
    matches,
    effect,
    counterOf({}, () => 0),
  );
  return { ...lists, deactivate: () => hold?.release() };
}

function activateClientFault({ client, do: { crash } }: ClientFault, watches: OpenWatches): ActiveFault {
  if (client.user === undefined && client.userAgent === undefined) {
    throw impossibleFault('a client is named by its user or its userAgent');
  }
  const matches: Matches = (attributes, request) => isInScopeOf(client, attributes, request);
  let hits = 0;
  const effect = crashEffect(crash.writes, () => {
    hits += 1;
    watches.end(matches, 'drop');
  });
  return {
    effectOn: (attributes, request) => (matches(attributes, request) ? effect : undefined),
    hits: () => hits,
    deactivate: nothing,
  };
}

/** Activates a fault. Throws a TypeError when no request could ever match. */
export function activateFault(spec: FaultSpec, current: CurrentServer, watches: OpenWatches): ActiveFault {
  if ('on' in spec) return activateRequestFault(spec, current);
  if ('watches' in spec) return activateWatchFault(spec, current, watches);
  if ('cache' in spec) return activateCacheFault(spec, current, watches);
  return activateClientFault(spec, watches);
}
