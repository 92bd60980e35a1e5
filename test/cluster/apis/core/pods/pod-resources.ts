/** Adds up the resources of containers. */

import { parseQuantity, type Quantity } from '../../../apimachinery/formats/quantity.ts';
import type { Fields } from '../../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../../resources/defaulting.ts';

/** Amounts by resource. */
export type Amounts = Readonly<Record<string, Quantity>>;

const amountsOf = (container: Fields, list: 'limits' | 'requests'): Amounts =>
  Object.fromEntries(
    Object.entries(fieldsOf(fieldsOf(container.resources)[list])).flatMap(([name, amount]) => {
      const parsed = parseQuantity(String(amount));
      return parsed === undefined ? [] : [[name, parsed]];
    }),
  );

const merged = (one: Amounts, other: Amounts, how: (a: bigint, b: bigint) => bigint): Amounts => {
  const result: Record<string, Quantity> = { ...one };
  for (const [name, { nano, format }] of Object.entries(other)) {
    const former = result[name];
    result[name] = former === undefined ? { nano, format } : { ...former, nano: how(former.nano, nano) };
  }
  return result;
};
const added = (one: Amounts, other: Amounts): Amounts => merged(one, other, (a, b) => a + b);
const larger = (one: Amounts, other: Amounts): Amounts => merged(one, other, (a, b) => (a > b ? a : b));

/** Returns the largest sum that is needed at one time: by all containers that stay, or by an init container with the sidecars before it. */
export function sumOf(spec: Fields, list: 'limits' | 'requests'): Amounts {
  let staying: Amounts = {};
  let first: Amounts = {};
  for (const container of listOf(spec.initContainers)) {
    const own = amountsOf(container, list);
    const isSidecar = container.restartPolicy === 'Always';
    first = larger(first, added(own, staying));
    if (isSidecar) staying = added(staying, own);
  }
  const all = listOf(spec.containers).reduce<Amounts>((sum, one) => added(sum, amountsOf(one, list)), {});
  return larger(added(all, staying), first);
}
