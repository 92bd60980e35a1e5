/** Handler of the subresource `eviction` of pods. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { type ApiObject, draftOf, type Fields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import { badRequest, failure, forbidden, unexpected } from '../../apimachinery/status.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { jsonResponse } from '../../encoding/representation.ts';
import { checkPreconditions, deleteObject } from '../../objects/delete.ts';
import { updateObject } from '../../objects/update.ts';
import type { DeleteOptions } from '../../server/delete-options.ts';
import { admitSubresource } from '../admit-and-store.ts';
import { checkDeleteOptions } from '../delete.ts';
import { writeOptionsOf } from '../parameters.ts';
import { type Call, currentOf, type Verb } from '../resource-call.ts';
import { readSubresourceBody } from '../subresource-body.ts';
import { createdStatus } from './bind.ts';

const evictionKind = { group: 'policy', version: 'v1', kind: 'Eviction' };
const budgets = 'policy/poddisruptionbudgets';
/** Retry-After of a budget whose status is behind its spec, in s; an exhausted one states none. */
const unobservedDelay = 10;
/** Largest number of evictions that the disruption controller has not confirmed (`MaxDisruptedPodSize`). */
const maxDisruptedPods = 2000;

/** Returns the 429 of a disruption budget that does not allow an eviction. */
function tooManyRequests(message: string, retryAfterSeconds?: number): Error {
  return failure('TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    causes: [{ reason: 'DisruptionBudget', message }],
  });
}

async function evictionOf(call: Call): Promise<Fields> {
  const options = writeOptionsOf(call.query, 'CreateOptions');
  const object = await readSubresourceBody(call, 'Eviction', options);
  if (object.metadata.name !== call.path.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const { dryRun } = options;
  return (await admitSubresource(call, { kind: evictionKind, operation: 'CREATE', object, dryRun })) ?? object;
}

function budgetsOf({ server: { store } }: Call, { metadata }: ApiObject): readonly ApiObject[] {
  const { objects } = store.page(budgets, { prefix: `${metadata.namespace}/` });
  return objects.filter((budget) => {
    const { selector } = fieldsOf(budget.spec);
    return selector !== undefined && selectsLabels(selector, metadata.labels);
  });
}

const count = (fields: Fields, name: string): number => Number(fields[name] ?? 0);

/** Reports whether the eviction of a pod disrupts nothing: it is terminating, pending or finished. */
const canIgnoreBudget = ({ metadata, status }: ApiObject): boolean =>
  metadata.deletionTimestamp !== undefined ||
  ['Pending', 'Succeeded', 'Failed'].includes(String(fieldsOf(status).phase ?? 'Pending'));

const isReady = ({ status }: ApiObject): boolean =>
  listOf(fieldsOf(status).conditions).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** Reports whether an unready pod may be evicted regardless of the budget's remaining disruptions. */
function canEvictUnready(pod: ApiObject, budget: ApiObject): boolean {
  if (isReady(pod)) return false;
  const status = fieldsOf(budget.status);
  const desired = count(status, 'desiredHealthy');
  const isHealthyEnough = desired > 0 && count(status, 'currentHealthy') >= desired;
  return fieldsOf(budget.spec).unhealthyPodEvictionPolicy === 'AlwaysAllow' || isHealthyEnough;
}

/** Returns the conditions of a budget whose last allowed disruption is taken. */
function exhaustedConditions({ conditions, observedGeneration }: Fields, now: string): readonly Fields[] {
  const type = 'DisruptionAllowed';
  const former = listOf(conditions).find((condition) => condition.type === type);
  const lastTransitionTime = former?.status === 'False' ? former.lastTransitionTime : now;
  const state = {
    type,
    status: 'False',
    observedGeneration,
    lastTransitionTime,
    reason: 'InsufficientPods',
    message: '',
  };
  return [...listOf(conditions).filter((condition) => condition !== former), state];
}

/** Takes one disruption from a budget, as upstream's `checkAndDecrement`. Throws the server's 403 and 429. */
function consumeDisruption(
  { server }: Call,
  budget: ApiObject,
  { pod, dryRun }: { pod: string; dryRun: boolean },
): void {
  const { metadata, status } = budget;
  const before = fieldsOf(status);
  const { name } = metadata;
  if (count(before, 'observedGeneration') < (metadata.generation ?? 0)) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, unobservedDelay);
  }
  if (Object.keys(fieldsOf(before.disruptedPods)).length > maxDisruptedPods) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden({ group: 'policy', plural: 'poddisruptionbudget' }, name, { why });
  }
  const allowed = count(before, 'disruptionsAllowed');
  if (allowed <= 0) {
    const [needed, healthy] = [count(before, 'desiredHealthy'), count(before, 'currentHealthy')];
    throw tooManyRequests(`The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`);
  }
  if (dryRun) return;
  const now = timestampOf(server.clock.now());
  const draft = draftOf(budget);
  draft.status = {
    ...before,
    disruptionsAllowed: allowed - 1,
    disruptedPods: { ...fieldsOf(before.disruptedPods), [pod]: now },
    ...(allowed === 1 && { conditions: exhaustedConditions(before, now) }),
  };
  const resource = server.registry.find('policy/v1', 'poddisruptionbudgets')!;
  updateObject({ server, resource, subresource: 'status' }, budget, draft);
}

function markDisrupted({ server, resource }: Call, pod: ApiObject): ApiObject {
  const status = fieldsOf(pod.status);
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestampOf(server.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const draft = draftOf(pod);
  const others = listOf(status.conditions).filter(({ type }) => type !== 'DisruptionTarget');
  draft.status = { ...status, conditions: [...others, condition] };
  return updateObject({ server, resource, subresource: 'status' }, pod, draft).object;
}

/** Returns deletion options whose precondition on the resourceVersion is that of the marked pod. */
function withVersionOf({ metadata: { resourceVersion = '' } }: ApiObject, options: DeleteOptions): DeleteOptions {
  const { preconditions } = options;
  return preconditions?.resourceVersion === undefined
    ? options
    : { ...options, preconditions: { ...preconditions, resourceVersion } };
}

/** POST to a pod's `eviction`: a deletion that honours PodDisruptionBudgets. */
export const evict: Verb = async (call) => {
  const { deleteOptions } = await evictionOf(call);
  const options = fieldsOf(deleteOptions) as DeleteOptions & { readonly dryRun?: unknown };
  const dryRun = [options.dryRun, call.query.getAll('dryRun')].flat().includes('All');
  const { server, resource } = call;
  const pod = currentOf(call);
  if (!canIgnoreBudget(pod)) {
    const matching = budgetsOf(call, pod);
    if (matching.length > 1) {
      throw unexpected(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    }
    const [budget] = matching;
    if (budget !== undefined && !canEvictUnready(pod, budget))
      consumeDisruption(call, budget, { pod: pod.metadata.name, dryRun });
  }
  checkPreconditions(resource, pod, options);
  const marked = dryRun ? pod : markDisrupted(call, pod);
  checkDeleteOptions(options as Fields);
  deleteObject({ server, resource }, marked, { ...withVersionOf(marked, options), dryRun });
  return jsonResponse(201, createdStatus);
};
