/** Warnings of Services, and of load balancers in statuses. */

import type { Fields } from '../../../apimachinery/object.ts';
import { addressWarnings, rangeWarnings } from '../../../apimachinery/validation/address-rules.ts';
import { fieldsOf, listOf } from '../../../apimachinery/validation/errors.ts';
import type { Warn } from '../../builtin-kind.ts';
import { annotationsOf, textsOf } from '../../warning-fields.ts';

const hints = 'service.kubernetes.io/topology-aware-hints';

function* headlessWarnings({ loadBalancerIP, externalIPs }: Fields): Generator<string> {
  if (loadBalancerIP) yield 'spec.loadBalancerIP is ignored for headless services';
  if (textsOf(externalIPs).length > 0) yield 'spec.externalIPs is ignored for headless services';
  yield 'spec.SessionAffinity is ignored for headless services';
}

/** Warns of each text of a list. */
function* eachWarnings(
  list: unknown,
  path: string,
  warn: (text: string, path: string) => Iterable<string>,
): Generator<string> {
  for (const [index, text] of textsOf(list).entries()) yield* warn(text, `${path}[${index}]`);
}

/** Warns of a Service. */
export const serviceWarnings: Warn = function* (object) {
  const spec = fieldsOf(object.spec);
  const { type, clusterIP, clusterIPs, externalIPs, loadBalancerIP, loadBalancerSourceRanges, externalName } = spec;
  if (hints in annotationsOf(object)) {
    yield `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`;
  }
  const isHeadless = clusterIP === 'None';
  if (!isHeadless) yield* eachWarnings(clusterIPs, 'spec.clusterIPs', addressWarnings);
  if (isHeadless && type === 'ClusterIP') yield* headlessWarnings(spec);
  yield* eachWarnings(externalIPs, 'spec.externalIPs', addressWarnings);
  if (loadBalancerIP) yield* addressWarnings(loadBalancerIP, 'spec.loadBalancerIP');
  yield* eachWarnings(loadBalancerSourceRanges, 'spec.loadBalancerSourceRanges', rangeWarnings);
  const isNamed = type === 'ExternalName';
  if (isNamed && textsOf(externalIPs).length > 0) yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  if (!isNamed && externalName) yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
};

/** Warns of addresses of load balancers in a status. */
export function* balancerWarnings({ status }: Fields): Generator<string> {
  const { ingress } = fieldsOf(fieldsOf(status).loadBalancer);
  for (const [index, { ip }] of listOf(ingress).entries()) {
    if (ip) yield* addressWarnings(ip, `status.loadBalancer.ingress[${index}]`);
  }
}
