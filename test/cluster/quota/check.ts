/** Checks writes against quotas. */

import { type ApiObject, type Fields, isFields } from '../apimachinery/object.ts';
import type { Evaluator, QuotaWrite } from './evaluator.ts';
import {
  type Amounts,
  amountsIn,
  amountsText,
  excess,
  listOfAmounts,
  namesAbove,
  only,
  plus,
} from './resource-lists.ts';
import { scopesOf } from './scopes.ts';

/** Quota that a write charges, and its usage afterwards. */
export interface Charge {
  readonly quota: ApiObject;
  readonly used: Fields;
}

/** Refusal of a write, in the server's words. */
export interface Refusal {
  readonly why: string;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const statusOf = ({ status }: ApiObject): { readonly hard: Amounts; readonly used: Amounts } => {
  const { hard, used } = fieldsOf(status);
  return { hard: amountsIn(hard), used: amountsIn(used) };
};

/** Returns the names in a quota that apply to an object; none when it is out of scope. */
function namesFor(quota: ApiObject, evaluator: Evaluator, object: Fields): readonly string[] {
  if (!scopesOf(fieldsOf(quota.spec)).every((scope) => evaluator.isInScope(scope, object))) return [];
  return [...statusOf(quota).hard.keys()].filter(evaluator.matchesResource);
}

/** Returns the reason why a matching quota cannot be evaluated; undefined when it can. */
function obstacle(quota: ApiObject, evaluator: Evaluator, object: Fields): string | undefined {
  const names = namesFor(quota, evaluator, object);
  const missing = evaluator.constraintError(names, object);
  if (missing !== undefined) return `failed quota: ${quota.metadata.name}: ${missing}`;
  const { used } = statusOf(quota);
  if (names.every((name) => used.has(name))) return undefined;
  return `status unknown for quota: ${quota.metadata.name}, resources: ${[...names].sort().join(',')}`;
}

/** Returns the usage that a write adds to a quota; for updates only the increase. */
function usageDelta(quota: ApiObject, evaluator: Evaluator, write: TimedQuotaWrite): Amounts {
  const { object, oldObject, now } = write;
  const usage = evaluator.usage(object, now);
  const wasCounted = oldObject !== undefined && namesFor(quota, evaluator, oldObject).length > 0;
  const more = wasCounted ? excess(usage, evaluator.usage(oldObject, now)) : usage;
  return new Map([...only(more, statusOf(quota).hard.keys())].filter(([, { nano }]) => nano !== 0n));
}

function chargeFor(quota: ApiObject, requested: Amounts, subresource: string | undefined): Charge | Refusal {
  const status = statusOf(quota);
  const next = plus(status.used, requested);
  const exceeded = namesAbove(only(next, requested.keys()), status.hard);
  if (exceeded.length === 0 || subresource === 'status') return { quota, used: listOfAmounts(next) };
  const text = (amounts: Amounts) => amountsText(only(amounts, exceeded));
  const [wanted, before, limit] = [requested, status.used, status.hard].map(text);
  return {
    why: `exceeded quota: ${quota.metadata.name}, requested: ${wanted}, used: ${before}, limited: ${limit}`,
  };
}

/** Write and its time. */
export interface TimedQuotaWrite extends QuotaWrite {
  /** Time of the write, in ms since the epoch. */
  readonly now: number;
}

/** Checks a write against the quotas of its namespace; returns the charges, or a refusal. */
export function checkQuotas(
  quotas: readonly ApiObject[],
  evaluator: Evaluator,
  write: TimedQuotaWrite,
): readonly Charge[] | Refusal {
  if (!evaluator.handles(write)) return [];
  const concerned = quotas.filter((quota) => namesFor(quota, evaluator, write.object).length > 0);
  for (const quota of concerned) {
    const why = obstacle(quota, evaluator, write.object);
    if (why !== undefined) return { why };
  }
  const negative = [...evaluator.usage(write.object, write.now)].filter(([, { nano }]) => nano < 0n);
  if (negative.length > 0)
    return {
      why: `quota usage is negative for resource(s): ${negative
        .map(([name]) => name)
        .sort()
        .join(',')}`,
    };
  const charges: Charge[] = [];
  for (const quota of concerned) {
    const requested = usageDelta(quota, evaluator, write);
    if (requested.size === 0) continue;
    const charge = chargeFor(quota, requested, write.subresource);
    if ('why' in charge) return charge;
    charges.push(charge);
  }
  return charges;
}
