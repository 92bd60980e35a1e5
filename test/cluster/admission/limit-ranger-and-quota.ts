/** LimitRanger and ResourceQuota admission. */

import { type ApiObject, type DraftMeta, draftOf, type Fields, isFields } from '../apimachinery/object.ts';
import { forbidden } from '../apimachinery/status.ts';
import { scopeOf } from '../objects/managed-fields.ts';
import { updateObject } from '../objects/update.ts';
import { checkQuotas } from '../quota/check.ts';
import { evaluatorOf } from '../quota/evaluators.ts';
import { limitFault, withDefaultLimits } from '../quota/limit-ranges.ts';
import type { AdmissionAttributes, Change } from '../server/admission.ts';
import type { ServerContext } from '../server/server-context.ts';

const quotaCollection = '/resourcequotas';
const rangeCollection = '/limitranges';

/** Limits and quotas applied to one write. */
export interface LimitsAndQuotas {
  /** Fills in the default limits of the namespace. */
  fill(object: Fields | undefined): Fields | undefined;
  /** Throws the server's 403 when a LimitRange is violated. */
  checkLimits(change: Change): void;
  /** Charges the write to the quotas of its namespace. Throws the server's 403 when a quota is exceeded. */
  charge(change: Change): void;
}

/** Reports whether limits apply: to pods on create and resize, and to volume claims on every write. */
function areLimited({ call: { resource, path }, operation }: AdmissionAttributes, { oldObject }: Change): boolean {
  if (operation === 'DELETE') return false;
  const isLeaving = isFields(oldObject?.metadata) && oldObject.metadata.deletionTimestamp !== undefined;
  if (isLeaving) return false;
  if (resource.collection !== '/pods') return path.subresource === undefined;
  return operation === 'CREATE' ? path.subresource === undefined : path.subresource === 'resize';
}

/** Returns the LimitRanges and ResourceQuotas of a write's namespace. */
export function limitsAndQuotasOf(server: ServerContext, admitted: AdmissionAttributes): LimitsAndQuotas {
  const { store, registry, clock } = server;
  const { call, operation, options } = admitted;
  const { collection, info } = call.resource;
  const { namespace, subresource } = call.path;
  const inNamespace = (of: string): readonly ApiObject[] =>
    namespace === undefined ? [] : store.page(of, { prefix: `${namespace}/` }).objects;
  // Generated names are known by now.
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
        const scope = scopeOf({ server, resource, manager: 'kube-apiserver', subresource: 'status' });
        updateObject(scope, quota, draft);
      }
    },
  };
}
