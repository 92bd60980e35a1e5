/** Create and update strategy of CertificateSigningRequests. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, type Fields, isFields } from '../../apimachinery/object.ts';
import type { Strategy } from '../../server/strategy.ts';

const conditionsOf = ({ status }: Draft | ApiObject): readonly Fields[] | undefined =>
  isFields(status) && Array.isArray(status.conditions) ? status.conditions : undefined;

/** Restores everything but the conditions, which approvers set. */
function onlyConditions(draft: Draft, current: ApiObject): void {
  const conditions = conditionsOf(draft);
  draft.spec = current.spec;
  draft.status = { ...(current.status as Fields | undefined), ...(conditions !== undefined && { conditions }) };
}

/** CertificateSigningRequests: the requester is recorded, and conditions get timestamps. */
export const signingRequestStrategy: Strategy = {
  recordRequester(draft, { name, uid, groups, extra }) {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = (draft.spec ?? {}) as Fields;
    draft.spec = {
      ...spec,
      username: name,
      ...(uid !== undefined && { uid }),
      ...(groups.length > 0 && { groups }),
      ...(extra !== undefined && { extra }),
    };
  },
  prepareForUpdate(draft, current, subresource) {
    if (subresource === 'approval') onlyConditions(draft, current);
    else if (subresource === undefined) draft.spec = current.spec;
  },
  allocate({ clock }, draft) {
    const conditions = conditionsOf(draft);
    if (conditions === undefined) return;
    const now = timestampOf(clock.now());
    const stamped = conditions.map((one) => ({
      ...one,
      lastUpdateTime: one.lastUpdateTime ?? now,
      lastTransitionTime: one.lastTransitionTime ?? now,
    }));
    draft.status = { ...(draft.status as Fields), conditions: stamped };
  },
};
