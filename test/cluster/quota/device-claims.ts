/** Quota evaluator of ResourceClaims. */

import type { Quantity } from '../apimachinery/formats/quantity.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import type { Evaluator } from './evaluator.ts';
import { countOf } from './resource-lists.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const objects = 'count/resourceclaims.resource.k8s.io';
const perClass = '.deviceclass.resource.k8s.io/devices';
/** Largest number of devices of a claim; requests for all devices of a class count as this many. */
const all = 32;

const devicesOf = ({ allocationMode, count }: Fields): number =>
  allocationMode === 'All' ? all : allocationMode === 'ExactCount' ? Number(count ?? 0) : 0;

/** Returns the number of devices that a request asks for, by class; the maximum of its alternatives. */
function requestedDevices({ exactly, firstAvailable }: Fields): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const alternatives = listOf(firstAvailable);
  for (const one of alternatives.length > 0 ? alternatives : [fieldsOf(exactly)]) {
    if (typeof one.deviceClassName !== 'string') continue;
    const name = one.deviceClassName + perClass;
    const count = devicesOf(one);
    if (alternatives.length === 0 || count > (found.get(name) ?? 0)) found.set(name, count);
  }
  return found;
}

/** Evaluator of ResourceClaims: counts claims, and devices by class. */
export const deviceClaims: Evaluator = {
  matchesResource: (name) => name === objects || name.endsWith(perClass),
  handles: ({ operation, subresource }) => subresource === undefined && operation !== 'DELETE',
  usage({ spec }) {
    const totals = new Map<string, number>();
    for (const request of listOf(fieldsOf(fieldsOf(spec).devices).requests)) {
      for (const [name, count] of requestedDevices(request)) totals.set(name, (totals.get(name) ?? 0) + count);
    }
    const amounts = [...totals].map(([name, count]): [string, Quantity] => [name, countOf(count)]);
    return new Map<string, Quantity>([[objects, countOf(1)], ...amounts]);
  },
  isInScope: () => false,
  constraintError: () => undefined,
};
