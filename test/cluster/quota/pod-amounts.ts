import { type Fields, isFields } from '../objects/object.ts';
import { type Amounts, amountsIn, largest, plus } from './amounts.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** What of a container counts. */
export type Side = 'requests' | 'limits';

const nothing = (): Amounts => new Map();
const hasOverall = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/** What a container asks for, or may use. */
export const containerAmounts = ({ resources }: Fields, side: Side): Amounts => amountsIn(fieldsOf(resources)[side]);

/** What the containers need together; those that run first need theirs, and what sidecars have by then, for a while. */
function ofContainers(spec: Fields, side: Side): Amounts {
  let running = listOf(spec.containers).reduce((all, one) => plus(all, containerAmounts(one, side)), nothing());
  let sidecars = nothing();
  let atFirst = nothing();
  for (const container of listOf(spec.initContainers)) {
    const own = containerAmounts(container, side);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) {
      running = plus(running, own);
      sidecars = plus(sidecars, own);
    }
    atFirst = largest(atFirst, isSidecar ? sidecars : plus(own, sidecars));
  }
  return largest(running, atFirst);
}

/** What a pod asks for, or may use, as its containers or it itself say, without its overhead. */
export function podAmounts(spec: Fields, side: Side): Amounts {
  const overall = [...amountsIn(fieldsOf(spec.resources)[side])].filter(([name]) => hasOverall(name));
  return new Map([...ofContainers(spec, side), ...overall]);
}

/** The same with what its runtime takes; of limits only where there are some. */
export function podAmountsWithOverhead(spec: Fields, side: Side): Amounts {
  const amounts = podAmounts(spec, side);
  const overhead = [...amountsIn(spec.overhead)].filter(([name]) => side === 'requests' || amounts.has(name));
  return plus(amounts, new Map(overhead));
}
