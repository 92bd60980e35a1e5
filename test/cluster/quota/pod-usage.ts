/** Sums of the resources of pods. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { type Amounts, amountsIn, largest, plus } from './resource-lists.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Requests or limits of a container. */
export type Side = 'requests' | 'limits';

const nothing = (): Amounts => new Map();
const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/** Returns the requests or limits of a container. */
export const containerAmounts = ({ resources }: Fields, side: Side): Amounts => amountsIn(fieldsOf(resources)[side]);

/** Returns the peak of the containers: of all that run together, or of an init container with the sidecars before it. */
function ofContainers(spec: Fields, side: Side): Amounts {
  let running = listOf(spec.containers).reduce((all, one) => plus(all, containerAmounts(one, side)), nothing());
  let sidecars = nothing();
  let initPeak = nothing();
  for (const container of listOf(spec.initContainers)) {
    const own = containerAmounts(container, side);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) {
      running = plus(running, own);
      sidecars = plus(sidecars, own);
    }
    initPeak = largest(initPeak, isSidecar ? sidecars : plus(own, sidecars));
  }
  return largest(running, initPeak);
}

/** Returns the requests or limits of a pod, at pod level or else of its containers, without its overhead. */
export function podAmounts(spec: Fields, side: Side): Amounts {
  const overall = [...amountsIn(fieldsOf(spec.resources)[side])].filter(([name]) => isPodLevelResource(name));
  return new Map([...ofContainers(spec, side), ...overall]);
}

/** Returns the requests or limits of a pod with its overhead; the overhead adds only to existing limits. */
export function podAmountsWithOverhead(spec: Fields, side: Side): Amounts {
  const amounts = podAmounts(spec, side);
  const overhead = [...amountsIn(spec.overhead)].filter(([name]) => side === 'requests' || amounts.has(name));
  return plus(amounts, new Map(overhead));
}
