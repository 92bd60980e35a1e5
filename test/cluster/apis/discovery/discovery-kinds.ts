/** Rules of the kinds of `discovery.k8s.io`. */

import { addressWarnings } from '../../apimachinery/validation/address-rules.ts';
import { listOf } from '../../apimachinery/validation/errors.ts';
import { withoutFields } from '../../resources/defaulting.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { endpointSlice } from '../core/endpoint-validation.ts';
import { textsOf } from '../warning-fields.ts';

const warn: Warn = function* ({ addressType, endpoints: list }, former) {
  if (former === undefined && addressType === 'FQDN') yield 'spec.addressType: FQDN endpoints are deprecated';
  if (addressType === 'FQDN') return;
  for (const [index, { addresses }] of listOf(list).entries()) {
    for (const [place, address] of textsOf(addresses).entries()) {
      yield* addressWarnings(address, `endpoints[${index}].addresses[${place}]`);
    }
  }
};

/** Rules of the kinds of `discovery.k8s.io`, by type. */
export const discoveryKinds: Readonly<Record<string, BuiltinKind>> = {
  'discovery.EndpointSlice': {
    values: { 'discovery.EndpointPort': { name: '', protocol: 'TCP' } },
    defaults: { 'discovery.Endpoint': withoutFields('deprecatedTopology') },
    check: endpointSlice,
    warn,
  },
};
