/** Calls mutating and validating webhooks. */

import { type ApiObject, equal, type Fields, isFields } from '../apimachinery/object.ts';
import { badRequest, failure, forbidden, StatusError } from '../apimachinery/status.ts';
import type { Expression, PolicyExpressions } from '../apis/admissionregistration/policy-expressions.ts';
import { retryAfterConversion } from '../crd/conversion/suspend-for-conversion.ts';
import type { Resource } from '../resources/registry.ts';
import type { AdmissionOptions, Change } from '../server/admission.ts';
import { endpointOf } from '../webhooks/webhook-client.ts';
import { conditionsHold, ExpressionError, type Requester, variablesOf } from './expressions.ts';
import { isSelected, matchedResource, type Target } from './matching.ts';
import { checkPatch, patchedBy } from './patches.ts';
import { type AdmissionResponse, type AdmissionReview, requestOf } from './review.ts';
import type { Transport } from './webhook-transport.ts';

/** Context of the webhook and policy calls of one write. */
export interface AdmissionRequest {
  readonly target: Target;
  readonly options: AdmissionOptions;
  /** Other versions of the target's resource. */
  readonly others: readonly Resource[];
  /** Authorizer and user for expressions. */
  readonly requester: Requester;
  /** Returns the compiled expressions of a policy. */
  expressionsOf(policy: ApiObject): PolicyExpressions;
  /** Returns the compiled matchConditions of a webhook. */
  conditionsOf(hook: Fields): readonly Expression[];
  readonly transport: Transport;
  /** Texts for Warning headers. */
  readonly warnings: string[];
}

/** Webhook to call, with its review. */
interface WebhookCall {
  readonly hook: Fields;
  readonly matched: Resource;
  readonly review: AdmissionReview;
}

const internal = (message: string): StatusError =>
  failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

const quoted = (hook: Fields): string => JSON.stringify(hook.name);

/** Returns the call of a webhook; undefined when it does not match. Throws when a condition fails to evaluate. */
function webhookCallFor(hook: Fields, admission: AdmissionRequest, change: Change): WebhookCall | undefined {
  const { target, options, others, requester } = admission;
  const matched = matchedResource(hook.rules, target, hook.matchPolicy === 'Exact' ? [] : others);
  if (matched === undefined || !isSelected(hook, target, change)) return undefined;
  const request = requestOf(target, matched, { change, options });
  const { object, oldObject, uid: _uid, ...shown } = request;
  const variables = variablesOf({ object, oldObject, request: shown, namespaceObject: null }, requester);
  if (!conditionsHold(admission.conditionsOf(hook), variables)) return undefined;
  const versions = Array.isArray(hook.admissionReviewVersions) ? hook.admissionReviewVersions : [];
  const version = versions.find((one) => one === 'v1' || one === 'v1beta1') ?? 'v1';
  return { hook, matched, review: { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request } };
}

function denial({ hook }: WebhookCall, { status = {} }: AdmissionResponse): StatusError {
  const by = `admission webhook ${quoted(hook)} denied the request`;
  const why = status.message || status.reason;
  const message = why ? `${by}: ${why}` : `${by} without explanation`;
  const code = Math.max(400, status.code ?? 400);
  const { status: _given, ...said } = status as Fields;
  const failure = { status: 'Failure', ...said, message, code };
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, ...failure });
}

/** Values of `sideEffects` that permit calls for dry runs. */
const drySideEffects: ReadonlySet<unknown> = new Set(['None', 'NoneOnDryRun']);

/** Calls a webhook; undefined for a failure with failurePolicy Ignore. Throws its denial, or the server's 500 for a failure. */
async function callWebhook(
  call: WebhookCall,
  { options, transport, warnings }: AdmissionRequest,
  mutating: boolean,
): Promise<AdmissionResponse | undefined> {
  const { hook, review } = call;
  if (options.dryRun && !drySideEffects.has(hook.sideEffects)) {
    throw badRequest(`admission webhook ${quoted(hook)} does not support dry run`);
  }
  const endpoint = endpointOf(isFields(hook.clientConfig) ? hook.clientConfig : {}, Number(hook.timeoutSeconds ?? 10));
  let response: AdmissionResponse;
  try {
    response = await transport(endpoint, review, mutating);
    if (mutating && response.allowed) checkPatch(response);
  } catch (error) {
    if (hook.failurePolicy === 'Ignore') return undefined;
    throw internal(`failed calling webhook ${quoted(hook)}: ${(error as Error).message}`);
  }
  warnings.push(...(response.warnings ?? []));
  if (!response.allowed) throw denial(call, response);
  return response;
}

const nameOf = (object: Fields | undefined): string =>
  isFields(object?.metadata) ? String(object.metadata.name ?? '') : '';

/** Like {@link webhookCallFor}, but failed conditions are a 403, or skip the webhook with failurePolicy Ignore. */
function matchedWebhook(hook: Fields, admission: AdmissionRequest, change: Change): WebhookCall | undefined {
  try {
    return webhookCallFor(hook, admission, change);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (hook.failurePolicy === 'Ignore') return undefined;
    const { resource, name } = admission.target;
    throw forbidden(resource.info, name || nameOf(change.object), { why: error.message });
  }
}

/**
 * Calls mutating webhooks in order, then once more those with `reinvocationPolicy: IfNeeded` whose object was changed
 * by a later one.
 * Returns the resulting object. Throws StatusErrors.
 */
export async function callMutatingWebhooks(
  hooks: readonly Fields[],
  admission: AdmissionRequest,
  change: Change,
): Promise<Fields | undefined> {
  let { object } = change;
  const called = new Set<Fields>();
  const again = new Set<Fields>();
  const call = async (hook: Fields) => {
    const call = await retryAfterConversion(() => matchedWebhook(hook, admission, { ...change, object }));
    if (call === undefined) return;
    const response = await callWebhook(call, admission, true);
    const next = response && patchedBy(response, { ...call, object });
    if (next !== undefined && !equal(next, object)) {
      for (const former of called) again.add(former);
      called.clear();
      object = next;
    }
    if (hook.reinvocationPolicy === 'IfNeeded') called.add(hook);
  };
  const round = async (isDue: (hook: Fields) => boolean) => {
    for (const hook of hooks) if (isDue(hook)) await call(hook);
  };
  await round(() => true);
  if (again.size > 0) await round((hook) => again.has(hook));
  return object;
}

/** Calls validating webhooks in parallel. Throws the first denial or failure in their order. */
export async function callValidatingWebhooks(
  hooks: readonly Fields[],
  admission: AdmissionRequest,
  change: Change,
): Promise<void> {
  const all = await Promise.all(
    hooks.map((hook) => retryAfterConversion(() => matchedWebhook(hook, admission, change))),
  );
  const call = all.filter((one) => one !== undefined);
  const results = await Promise.allSettled(call.map((one) => callWebhook(one, admission, false)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
