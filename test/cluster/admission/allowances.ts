import type { Machinery } from '../machinery.ts';
import { scopeOf } from '../objects/managing.ts';
import { type ApiObject, type DraftMeta, draftOf, type Fields, isFields } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import { checkQuotas } from '../quota/check.ts';
import { evaluatorOf } from '../quota/evaluators.ts';
import { limitFault, withDefaultLimits } from '../quota/limits.ts';
import { forbidden } from '../status.ts';
import type { Admitted } from './create-admission.ts';
import type { Change } from './matching.ts';

const quotaCollection = '/resourcequotas';
const rangeCollection = '/limitranges';

/** What LimitRanges and ResourceQuotas make of one write. */
export interface Allowances {
  /** The object with the limits that its namespace fills in. */
  fill(object: Fields | undefined): Fields | undefined;
  /** Throws the server's 403 when a limit of the namespace is broken. */
  checkLimits(change: Change): void;
  /** Takes what the write uses from the quotas of its namespace. Throws the server's 403 when there is too little left. */
  charge(change: Change): void;
}

/** Limits hold for pods when they are made or resized, and for volume claims whenever they are written. */
function areLimited({ call: { resource, path }, operation }: Admitted, { oldObject }: Change): boolean {
  if (operation === 'DELETE') return false;
  const isLeaving = isFields(oldObject?.metadata) && oldObject.metadata.deletionTimestamp !== undefined;
  if (isLeaving) return false;
  if (resource.collection !== '/pods') return path.subresource === undefined;
  return operation === 'CREATE' ? path.subresource === undefined : path.subresource === 'resize';
}

/** The allowances of the namespace that something is written in. */
export function allowancesFor(machinery: Machinery, admitted: Admitted): Allowances {
  const { store, registry, clock } = machinery;
  const { call, operation, options } = admitted;
  const { collection, info } = call.resource;
  const { namespace, subresource } = call.path;
  const inNamespace = (of: string): readonly ApiObject[] =>
    namespace === undefined ? [] : store.page(of, { prefix: `${namespace}/` }).objects;
  // By now a generated name is known.
  const refusal = ({ metadata }: Fields, why: string) => forbidden(info, (metadata as DraftMeta).name ?? '', { why });
  return {
    fill(object) {
      if (object === undefined || collection !== '/pods' || operation !== 'CREATE' || subresource !== undefined)
        return object;
      return inNamespace(rangeCollection).reduce<Fields>(
        (pod, range) => withDefaultLimits(range as unknown as Fields, pod),
        object,
      );
    },
    checkLimits(change) {
      if (admitted.kind !== undefined || change.object === undefined || !areLimited(admitted, change)) return;
      for (const range of inNamespace(rangeCollection)) {
        const why = limitFault(range as unknown as Fields, collection, change.object);
        if (why !== undefined) throw refusal(change.object, why);
      }
    },
    charge({ object, oldObject }) {
      if (object === undefined || admitted.kind !== undefined) return;
      const quotas = inNamespace(quotaCollection);
      if (quotas.length === 0) return;
      const write = { operation, subresource, object, oldObject, now: clock.now() };
      const charges = checkQuotas(quotas, evaluatorOf(collection), write);
      if ('why' in charges) throw refusal(object, charges.why);
      if (options.dryRun) return;
      const resource = registry.find('v1', 'resourcequotas')!;
      for (const { quota, used } of charges) {
        const draft = { ...draftOf(quota), status: { ...(quota.status as Fields), used } };
        const scope = scopeOf({ machinery, resource, manager: 'kube-apiserver', subresource: 'status' });
        updateObject(scope, quota, draft);
      }
    },
  };
}
