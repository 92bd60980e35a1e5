/** Controller of ResourceQuotas. */

import { type ApiObject, equal, type Fields, isFields } from '../apimachinery/object.ts';
import { collectionsOf, evaluatorOf } from '../quota/evaluators.ts';
import { type Amounts, amountsIn, countOf, listOfAmounts, only, plus } from '../quota/resource-lists.ts';
import { scopesOf } from '../quota/scopes.ts';
import type { Change } from '../storage/store.ts';
import type { Decision, Reconciler, View } from './engine/reconciler.ts';
import { statusWrites } from './engine/status-write.ts';

const quotas = '/resourcequotas';
/** Interval of the full recount of a quota, upstream's, in ms: another client may have written its status. */
const recountInterval = 300_000;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const hardOf = (quota: ApiObject): Amounts => amountsIn(fieldsOf(quota.spec).hard);

/** Returns a function that computes an object's usage of a quota's resources, within the quota's scopes. */
function partOf(quota: ApiObject, collection: string, now: number): (object: ApiObject) => Amounts {
  const evaluator = evaluatorOf(collection);
  const scopes = scopesOf(fieldsOf(quota.spec));
  const names = [...hardOf(quota).keys()].filter(evaluator.matchesResource);
  return (given) => {
    const object = given as unknown as Fields;
    const isCounted = names.length > 0 && scopes.every((scope) => evaluator.isInScope(scope, object));
    return isCounted ? only(evaluator.usage(object, now), names) : new Map();
  };
}

function usedOf(quota: ApiObject, view: View): Amounts {
  const names = [...hardOf(quota).keys()];
  const collections = collectionsOf(names);
  const known = names.filter((name) => collections.some((collection) => evaluatorOf(collection).matchesResource(name)));
  const nothing: Amounts = new Map(known.map((name) => [name, countOf(0)]));
  return collections
    .flatMap((collection) => {
      const part = partOf(quota, collection, view.now);
      return view.list(collection, quota.metadata.namespace).map(part);
    })
    .reduce(plus, nothing);
}

function decide(quota: ApiObject, view: View): Decision {
  const status = { hard: listOfAmounts(hardOf(quota)), used: listOfAmounts(usedOf(quota, view)) };
  return { writes: statusWrites(quota, status), after: recountInterval };
}

/** Returns the keys of the quotas whose usage a change alters. */
function concerns({ type, collection, object, previous }: Change, view: View): readonly string[] {
  const { namespace } = object.metadata;
  if (namespace === undefined) return [];
  const now = type === 'DELETED' ? undefined : object;
  return view
    .list(quotas, namespace)
    .filter((quota) => {
      const part = partOf(quota, collection, view.now);
      const [after, before] = [now, previous].map((one) => (one === undefined ? {} : listOfAmounts(part(one))));
      return !equal(after, before);
    })
    .map(({ metadata }) => `${namespace}/${metadata.name}`);
}

/** Recalculates the usage of ResourceQuotas. Changes of their status alone, such as by admission, do not trigger it. */
export const resourceQuotaReconciler: Reconciler = {
  collection: quotas,
  component: 'resourcequota-controller',
  predicate: ({ type, object, previous }) => type !== 'MODIFIED' || !equal(object.spec, previous?.spec),
  concerns,
  decide,
};
