/** Defaults of pod-level resources. */

import { quantityText } from '../../../apimachinery/formats/quantity.ts';
import type { Fields } from '../../../apimachinery/object.ts';
import { fieldsOf, isEmpty } from '../../../resources/defaulting.ts';
import { type Amounts, sumOf } from './pod-resources.ts';

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isOfPod = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

const textsOf = (amounts: Amounts, isMeant: (name: string) => boolean): Fields =>
  Object.fromEntries(
    Object.entries(amounts).flatMap(([name, amount]) => (isMeant(name) ? [[name, quantityText(amount)]] : [])),
  );

/** Defaults pod-level resources where some are set: huge pages and requests from the sums of the containers, other requests from limits. */
export function withWholeResources(spec: Fields): Fields {
  const resources = fieldsOf(spec.resources);
  const [limits, requests] = [fieldsOf(resources.limits), fieldsOf(resources.requests)];
  if (isEmpty(limits) && isEmpty(requests)) return spec;
  const pages = textsOf(sumOf(spec, 'limits'), (name) => isHugePages(name) && requests[name] === undefined);
  const most: Fields = { ...pages, ...limits };
  if (isEmpty(limits) && isEmpty(pages)) return spec;
  const used = textsOf(sumOf(spec, 'requests'), (name) => isOfPod(name) && !isHugePages(name));
  const allowed = Object.fromEntries(Object.entries(most).filter(([name]) => isOfPod(name)));
  const asked: Fields = { ...allowed, ...used, ...requests };
  return {
    ...spec,
    resources: { ...resources, limits: most, ...(!isEmpty(asked) && { requests: asked }) },
  };
}
