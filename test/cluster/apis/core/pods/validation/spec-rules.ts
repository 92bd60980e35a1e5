/** Validation of pod specs. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import {
  isLabel,
  isQualifiedName,
  isSubdomain,
  isSubdomainWithUnderscores,
} from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { ipAddress } from '../../../../apimachinery/validation/address-rules.ts';
import {
  each,
  fields,
  inRange,
  labels,
  members,
  named,
  oneOf,
  optionalOrEmpty,
  type Rule,
  requiredValue,
} from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, listOf, required } from '../../../../apimachinery/validation/errors.ts';
import { asGo } from '../../../../resources/go-form.ts';
import { affinity } from './affinity-rules.ts';
import { ephemeralErrors, initErrors, mainErrors } from './container-rules.ts';
import { hostProcessErrors, hostUserErrors, systemErrors } from './os-rules.ts';
import { schedulingGates, spread, tolerations } from './placement-rules.ts';
import { wholeResourceErrors } from './pod-level-resources.ts';
import { containerResourceErrors } from './resource-rules.ts';
import { podSecurityErrors } from './security-rules.ts';
import { volumeErrors } from './volume-rules.ts';

const resourceClaimNames = members({
  resourceClaimName: named(isSubdomain),
  resourceClaimTemplateName: named(isSubdomain),
});

function* resourceClaimErrors(claims: readonly Fields[], path: string): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const [index, claim] of claims.entries()) {
    const at = `${path}[${index}]`;
    const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    if (name === '') yield required(`${at}.name`);
    else if (seen.has(name)) yield { type: 'Duplicate', field: `${at}.name`, value: name };
    else yield* named(isLabel)(name, `${at}.name`);
    seen.add(name);
    if (own !== undefined && template !== undefined) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      yield invalid(at, asGo('core.PodResourceClaim', claim), detail);
    }
    if (own === undefined && template === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      yield invalid(at, asGo('core.PodResourceClaim', claim), detail);
    }
    yield* resourceClaimNames(claim, at);
  }
}

function* ownPortErrors(spec: Fields, path: string, isPod: boolean): Generator<FieldError> {
  if (spec.hostNetwork !== true) return;
  for (const [index, container] of listOf(spec.containers).entries()) {
    for (const [count, { hostPort = 0, containerPort = 0 }] of listOf(container.ports).entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue;
      const field = `${path}[${index}].ports[${count}].hostPort`;
      yield invalid(field, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

const searchName = named(isSubdomainWithUnderscores);

const search: Rule = function* (value, path) {
  if (value !== '.') yield* searchName(String(value).replace(/\.$/, ''), path);
};

const dnsConfig: Rule = function* (value, path) {
  const { nameservers, searches, options } = fieldsOf(value);
  const [servers, domains] = [nameservers, searches].map((list) => (Array.isArray(list) ? list : []));
  if (servers!.length > 3) {
    yield invalid(`${path}.nameservers`, servers, 'must not have more than 3 nameservers');
  }
  yield* each(ipAddress)(servers, `${path}.nameservers`);
  if (domains!.length > 32) yield invalid(`${path}.searches`, domains, 'must not have more than 32 search paths');
  if (domains!.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    yield invalid(`${path}.searches`, domains, detail);
  }
  yield* each(search)(domains, `${path}.searches`);
  for (const [index, { name }] of listOf(options).entries()) {
    if (!name) yield required(`${path}.options[${index}]`, 'must not be empty');
  }
};

function* dnsErrors(spec: Fields, path: string): Generator<FieldError> {
  if (spec.dnsPolicy === 'None') {
    const { nameservers } = fieldsOf(spec.dnsConfig);
    if (spec.dnsConfig === undefined) {
      yield required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (!Array.isArray(nameservers) || nameservers.length === 0) {
      yield required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
      return;
    }
  }
  if (spec.dnsConfig !== undefined) yield* dnsConfig(spec.dnsConfig, path);
}

const policyRules = fields({
  restartPolicy: requiredValue('', oneOf('Always', 'OnFailure', 'Never')),
  dnsPolicy: requiredValue('', oneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')),
});

const waitingRules = members({
  readinessGates: each(fields({ conditionType: named(isQualifiedName) })),
  schedulingGates,
  topologySpreadConstraints: spread,
});

const overhead: Rule = (value, path) =>
  [...containerResourceErrors({ limits: value }, '')].map((error) => ({ ...error, field: `${path}${error.field}` }));

const lastRules = members({
  serviceAccountName: optionalOrEmpty(named(isSubdomain)),
  nodeName: optionalOrEmpty(named(isSubdomain)),
  activeDeadlineSeconds: inRange(1, 2 ** 31 - 1, 'must be between 1 and 2147483647, inclusive'),
  hostname: optionalOrEmpty(named(isLabel)),
  subdomain: optionalOrEmpty(named(isLabel)),
  tolerations,
  hostAliases: each(fields({ ip: ipAddress, hostnames: each(named(isSubdomain)) })),
  priorityClassName: optionalOrEmpty(named(isSubdomain)),
  runtimeClassName: named(isSubdomain),
  preemptionPolicy: requiredValue('', oneOf('PreemptLowerPriority', 'Never')),
  overhead,
});

/** Validates the spec of a pod or, without a name, of a pod template. */
export function* podSpecErrors(spec: Fields, path: string, pod?: string): Generator<FieldError> {
  const volumes = new Map<string, Fields>();
  yield* volumeErrors(spec, `${path}.volumes`, { good: volumes, pod: pod ?? '' });
  const resourceClaims = listOf(spec.resourceClaims);
  yield* resourceClaimErrors(resourceClaims, `${path}.resourceClaims`);
  const claims = new Set(resourceClaims.flatMap(({ name }) => (name ? [String(name)] : [])));
  const { terminationGracePeriodSeconds: grace } = spec;
  const around = { spec, volumes, claims, grace: typeof grace === 'number' ? grace : undefined };
  yield* mainErrors(`${path}.containers`, around);
  yield* initErrors(`${path}.initContainers`, around);
  yield* ephemeralErrors(`${path}.ephemeralContainers`, around);
  if (spec.resources !== undefined) yield* wholeResourceErrors(spec, `${path}.resources`, claims);
  yield* ownPortErrors(spec, `${path}.containers`, pod !== undefined);
  yield* policyRules(spec, path);
  yield* labels(spec.nodeSelector, `${path}.nodeSelector`);
  yield* podSecurityErrors(spec, `${path}.securityContext`);
  if (spec.affinity !== undefined) yield* affinity(spec.affinity, `${path}.affinity`);
  yield* dnsErrors(spec, `${path}.dnsConfig`);
  yield* waitingRules(spec, path);
  yield* hostProcessErrors(spec, path);
  yield* hostUserErrors(spec, path);
  yield* lastRules(spec, path);
  yield* systemErrors(spec, path);
}
