/** Rules of the kinds of `networking.k8s.io`. */

import { isAddress } from '../../apimachinery/name-validation.ts';
import { rangeWarnings } from '../../apimachinery/validation/address-rules.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { type DefaultRule, withMissing } from '../../resources/defaulting.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { balancerWarnings } from '../core/services/service-warnings.ts';
import { annotationsOf, textsOf } from '../warning-fields.ts';
import { ipAddress, serviceCidr } from './address-validation.ts';
import { ingress, ingressClass, ingressStatus, networkPolicy } from './ingress-and-policy-validation.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

const ingressWarnings: Warn = function* (object, former) {
  if (
    former === undefined &&
    classAnnotation in annotationsOf(object) &&
    fieldsOf(object.spec).ingressClassName === undefined
  ) {
    yield `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`;
  }
};

const policyWarnings: Warn = function* ({ spec: value }) {
  const spec = fieldsOf(value);
  for (const [way, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of listOf(spec[way]).entries()) {
      for (const [place, { ipBlock }] of listOf(rule[peers]).entries()) {
        if (ipBlock === undefined) continue;
        const path = `spec.${way}[${index}].${peers}[${place}].ipBlock`;
        yield* rangeWarnings(fieldsOf(ipBlock).cidr, `${path}.cidr`);
        const { except } = fieldsOf(ipBlock);
        for (const [at, range] of textsOf(except).entries()) yield* rangeWarnings(range, `${path}.except[${at}]`);
      }
    }
  }
};

const policyDefaults: DefaultRule = (spec) => {
  const hasEgress = Array.isArray(spec.egress) && spec.egress.length > 0;
  return withMissing(spec, { policyTypes: hasEgress ? ['Ingress', 'Egress'] : ['Ingress'] });
};

/** Rules of the kinds of the group, by type. */
export const networkingKinds: Readonly<Record<string, BuiltinKind>> = {
  'networking.IPAddress': { checkName: isAddress, check: ipAddress, checkStatus: () => [] },
  'networking.Ingress': {
    check: ingress,
    checkStatus: ingressStatus,
    warn: ingressWarnings,
    warnOfStatus: balancerWarnings,
  },
  'networking.IngressClass': {
    values: { 'networking.IngressClassParametersReference': { scope: 'Cluster' } },
    check: ingressClass,
  },
  'networking.NetworkPolicy': {
    values: { 'networking.NetworkPolicyPort': { protocol: 'TCP' } },
    defaults: { 'networking.NetworkPolicySpec': policyDefaults },
    check: networkPolicy,
    isCheckedTwice: true,
    warn: policyWarnings,
  },
  'networking.ServiceCIDR': { check: serviceCidr, checkStatus: () => [] },
};
