/** Admission chain of a write, in the order of upstream's plugins: LimitRanger, mutating webhooks, policies, validating webhooks, ResourceQuota. */

import { type ApiObject, type DraftMeta, type Fields, isFields } from '../apimachinery/object.ts';
import { conditionsIn, expressionsOf } from '../apis/admissionregistration/policy-expressions.ts';
import { retryAfterConversion } from '../crd/conversion/suspend-for-conversion.ts';
import type { AdmissionAttributes, AdmissionChain, Change } from '../server/admission.ts';
import type { ServerContext } from '../server/server-context.ts';
import { collections, policiesIn, webhooksIn } from './configurations.ts';
import { limitsAndQuotasOf } from './limit-ranger-and-quota.ts';
import type { Target } from './matching.ts';
import { enforce } from './policies.ts';
import type { Transport } from './webhook-transport.ts';
import { type AdmissionRequest, callMutatingWebhooks, callValidatingWebhooks } from './webhooks.ts';

/** API group exempt from admission, so that a broken webhook can be removed. */
const exempt = 'admissionregistration.k8s.io';

function namespaceOf({ store }: ServerContext, { call: { path } }: AdmissionAttributes): ApiObject | undefined {
  return path.namespace === undefined ? undefined : store.get('/namespaces', path.namespace);
}

function targetOf(server: ServerContext, admitted: AdmissionAttributes, change: Change): Target {
  const { call, operation, name, kind } = admitted;
  const isNamespace = call.resource.collection === '/namespaces';
  const own = (change.object ?? change.oldObject) as unknown as ApiObject | undefined;
  const namespace = isNamespace ? own : namespaceOf(server, admitted);
  return {
    operation,
    resource: call.resource,
    subresource: call.path.subresource,
    kind,
    name,
    namespace: isNamespace ? name : call.path.namespace,
    namespaceLabels: namespace === undefined ? undefined : (namespace.metadata.labels ?? {}),
  };
}

/** Memoizes a function of objects, weakly. */
function memoized<Of extends object, T>(make: (of: Of) => T): (of: Of) => T {
  const made = new WeakMap<Of, { readonly value: T }>();
  return (of) => {
    const known = made.get(of) ?? { value: make(of) };
    made.set(of, known);
    return known.value;
  };
}

/** Returns the resource of the CEL variable `authorizer.requestResource`. */
const requestResource = ({ resource: { info }, subresource, namespace, name }: Target) => ({
  group: info.group,
  resource: info.plural,
  ...(subresource !== undefined && { subresource }),
  ...(namespace !== undefined && { namespace }),
  ...(name !== '' && { name }),
});

/** Creates the admission chain of a cluster. */
export function createAdmission(
  server: ServerContext,
  transport: Transport,
): (admitted: AdmissionAttributes) => AdmissionChain {
  const compiled = {
    expressionsOf: memoized((policy: ApiObject) => expressionsOf(isFields(policy.spec) ? policy.spec : {})),
    conditionsOf: memoized((hook: Fields) => conditionsIn(hook.matchConditions, false)),
  };
  const admissionRequestOf = (admitted: AdmissionAttributes, change: Change): AdmissionRequest => {
    const { call, options } = admitted;
    const { resource, request, warnings } = call;
    const others = server.registry
      .all()
      .filter((one) => one.collection === resource.collection && one.apiVersion !== resource.apiVersion);
    const target = targetOf(server, admitted, change);
    const requester = { authorizer: server.authorizer, user: request.user, resource: requestResource(target) };
    return {
      target,
      options: { user: request.user, random: server.random, ...options },
      others,
      requester,
      ...compiled,
      transport,
      warnings,
    };
  };
  return (admitted) => {
    const allowances = limitsAndQuotasOf(server, admitted);
    return {
      async mutate(given) {
        if (admitted.call.resource.info.group === exempt) return given.object;
        const change = { ...given, object: allowances.fill(given.object) };
        return callMutatingWebhooks(
          webhooksIn(server, collections.mutating),
          admissionRequestOf(admitted, change),
          change,
        );
      },
      async validate(change) {
        if (admitted.call.resource.info.group === exempt) return;
        allowances.checkLimits(change);
        const made = change.object?.metadata as DraftMeta | undefined;
        // Generated names are known by now.
        const name = admitted.name || (admitted.operation === 'CREATE' && made?.name) || '';
        const admission = admissionRequestOf({ ...admitted, name }, change);
        await retryAfterConversion(() => enforce(policiesIn(server, namespaceOf(server, admitted)), admission, change));
        await callValidatingWebhooks(webhooksIn(server, collections.validating), admission, change);
        allowances.charge(change);
      },
    };
  };
}
