/** Applies LimitRanges: defaults and limits. */

import { type Quantity, quantityText } from '../apimachinery/formats/quantity.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { containerAmounts, podAmounts } from './pod-usage.ts';
import { type Amounts, amountsIn, listOfAmounts } from './resource-lists.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Item of a LimitRange. */
type Rule = Fields;

const rulesIn = (range: Fields, type: string): readonly Rule[] =>
  listOf(fieldsOf(range.spec).limits).filter((rule) => rule.type === type);

interface DefaultedContainer {
  readonly container: Fields;
  /** Descriptions of the defaults that were set. */
  readonly notes: readonly string[];
}

function filledContainer(container: Fields, rules: readonly Rule[], what: string): DefaultedContainer {
  const resources = fieldsOf(container.resources);
  const given = { requests: amountsIn(resources.requests), limits: amountsIn(resources.limits) };
  const missing = (side: 'requests' | 'limits', member: string): Amounts =>
    new Map(rules.flatMap((rule) => [...amountsIn(rule[member])]).filter(([name]) => !given[side].has(name)));
  const added = { requests: missing('requests', 'defaultRequest'), limits: missing('limits', 'default') };
  const note = (names: Iterable<string>, side: string) =>
    `${[...names].sort().join(', ')} ${side} for ${what} ${container.name}`;
  const notes = [
    ...(added.requests.size > 0 ? [note(added.requests.keys(), 'request')] : []),
    ...(added.limits.size > 0 ? [note(added.limits.keys(), 'limit')] : []),
  ];
  if (notes.length === 0) return { container, notes };
  const side = (name: 'requests' | 'limits') =>
    added[name].size === 0 ? {} : { [name]: { ...fieldsOf(resources[name]), ...listOfAmounts(added[name]) } };
  return { container: { ...container, resources: { ...resources, ...side('requests'), ...side('limits') } }, notes };
}

const annotation = 'kubernetes.io/limit-ranger';

/** Returns a pod with the defaults of a LimitRange and an annotation of them; the same pod when there are none. */
export function withDefaultLimits(range: Fields, pod: Fields): Fields {
  const rules = rulesIn(range, 'Container');
  const spec = fieldsOf(pod.spec);
  const fill = (list: unknown, what: string) => listOf(list).map((one) => filledContainer(one, rules, what));
  const [containers, initContainers] = [
    fill(spec.containers, 'container'),
    fill(spec.initContainers, 'init container'),
  ];
  const notes = [...containers, ...initContainers].flatMap((one) => one.notes);
  if (notes.length === 0) return pod;
  const metadata = fieldsOf(pod.metadata);
  const annotations = {
    ...fieldsOf(metadata.annotations),
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  return {
    ...pod,
    metadata: { ...metadata, annotations },
    spec: {
      ...spec,
      containers: containers.map(({ container }) => container),
      ...(spec.initContainers !== undefined && { initContainers: initContainers.map(({ container }) => container) }),
    },
  };
}

/** Requests and limits of a container, pod or claim. */
interface RequestedAmounts {
  readonly requests: Amounts;
  readonly limits: Amounts;
  /** True when it can have limits; volume claims cannot. */
  readonly isLimited: boolean;
}

interface Bound {
  readonly name: string;
  readonly type: string;
  readonly bound: Quantity;
}

const isZero = (amount: Quantity | undefined): boolean => amount === undefined || amount.nano === 0n;

function minFault({ name, type, bound }: Bound, { requests, limits }: RequestedAmounts): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `minimum ${name} usage per ${type} is ${quantityText(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (request.nano < bound.nano) return `${rule}, but request is ${quantityText(request)}`;
  if (limit !== undefined && limit.nano < bound.nano) return `${rule}, but limit is ${quantityText(limit)}`;
  return undefined;
}

function maxFault({ name, type, bound }: Bound, { requests, limits, isLimited }: RequestedAmounts): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `maximum ${name} usage per ${type} is ${quantityText(bound)}`;
  if (isLimited && limit === undefined) return `${rule}.  No limit is specified`;
  if (!isLimited && request === undefined) return `${rule}.  No request is specified`;
  if (limit !== undefined && limit.nano > bound.nano) return `${rule}, but limit is ${quantityText(limit)}`;
  if (request !== undefined && request.nano > bound.nano) return `${rule}, but request is ${quantityText(request)}`;
  return undefined;
}

function ratioFault({ name, type, bound }: Bound, { requests, limits }: RequestedAmounts): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `${name} max limit to request ratio per ${type} is ${quantityText(bound)}`;
  if (isZero(request)) return `${rule}, but no request is specified or request is 0`;
  if (isZero(limit)) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limit!.nano) / Number(request!.nano);
  return ratio > Number(bound.nano) / 1e9 ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

const bounds = { min: minFault, max: maxFault, maxLimitRequestRatio: ratioFault } as const;

function faults(rule: Rule, asked: RequestedAmounts): readonly string[] {
  const kinds = asked.isLimited ? (['min', 'max', 'maxLimitRequestRatio'] as const) : (['min', 'max'] as const);
  return kinds.flatMap((kind) =>
    [...amountsIn(rule[kind])].flatMap(([name, bound]) => {
      const fault = bounds[kind]({ name, type: String(rule.type), bound }, asked);
      return fault === undefined ? [] : [fault];
    }),
  );
}

function podFaults(range: Fields, { spec }: Fields): readonly string[] {
  const { containers, initContainers } = fieldsOf(spec);
  const each = [...listOf(containers), ...listOf(initContainers)].map((container) => ({
    requests: containerAmounts(container, 'requests'),
    limits: containerAmounts(container, 'limits'),
    isLimited: true,
  }));
  const whole = {
    requests: podAmounts(fieldsOf(spec), 'requests'),
    limits: podAmounts(fieldsOf(spec), 'limits'),
    isLimited: true,
  };
  return [
    ...rulesIn(range, 'Container').flatMap((rule) => each.flatMap((asked) => faults(rule, asked))),
    ...rulesIn(range, 'Pod').flatMap((rule) => faults(rule, whole)),
  ];
}

function claimFaults(range: Fields, { spec }: Fields): readonly string[] {
  const requests = amountsIn(fieldsOf(fieldsOf(spec).resources).requests);
  const asked = { requests, limits: new Map(), isLimited: false };
  return rulesIn(range, 'PersistentVolumeClaim').flatMap((rule) => faults(rule, asked));
}

/** Returns the errors of an object against a LimitRange, in the server's words; undefined without any. */
export function limitFault(range: Fields, collection: string, object: Fields): string | undefined {
  const check = collection === '/pods' ? podFaults : collection === '/persistentvolumeclaims' ? claimFaults : undefined;
  const found = [...new Set(check?.(range, object) ?? [])];
  return found.length > 1 ? `[${found.join(', ')}]` : found[0];
}
