/** Create and update strategy of ResourceClaims. */

import { type ApiObject, type Draft, type Fields, isFields } from '../../apimachinery/object.ts';
import { invalid } from '../../apimachinery/status.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { Strategy } from '../../server/strategy.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const label = 'resource.kubernetes.io/admin-access';

/** Checks that the namespace allows admin access to devices. Throws the server's 422. */
function checkAdmin({ store }: ServerContext, { metadata }: Draft, field: string): void {
  const namespace = store.get('/namespaces', metadata.namespace ?? '');
  if (namespace?.metadata.labels?.[label] === 'true') return;
  const detail = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
  const kind = { group: 'resource.k8s.io', kind: 'ResourceClaim' };
  throw invalid(kind, metadata.name ?? '', [{ type: 'Forbidden', field, detail }]);
}

const resultsOf = ({ status }: Draft | ApiObject): readonly Fields[] =>
  listOf(fieldsOf(fieldsOf(fieldsOf(status).allocation).devices).results);

const wantsAdmin = (one: Fields): boolean => one.adminAccess === true;

const idOf = ({ driver, pool, device }: Fields): string => `${driver}/${pool}/${device}`;

/** Removes the status of devices that are no longer allocated. */
function withoutLost(draft: Draft, current: ApiObject): void {
  const status = fieldsOf(draft.status);
  const now = new Set(resultsOf(draft).map(idOf));
  const lost = new Set(
    resultsOf(current)
      .map(idOf)
      .filter((id) => !now.has(id)),
  );
  const kept = listOf(status.devices).filter((one) => !lost.has(idOf(one)));
  if (kept.length === listOf(status.devices).length) return;
  const { devices: _devices, ...others } = status;
  draft.status = kept.length === 0 ? others : { ...others, devices: kept };
}

/** ResourceClaims: admin access depends on the namespace, and the status of devices on their allocation. */
export const deviceClaimStrategy: Strategy = {
  prepareForCreate(server, draft) {
    const requests = listOf(fieldsOf(fieldsOf(draft.spec).devices).requests);
    const index = requests.findIndex((one) => wantsAdmin(fieldsOf(one.exactly)));
    if (index >= 0) checkAdmin(server, draft, `spec.devices.requests[${index}].adminAccess`);
  },
  prepareForUpdate(draft, current, subresource) {
    if (subresource === 'status') withoutLost(draft, current);
  },
  allocate(server, draft, current) {
    if (current === undefined || resultsOf(current).some(wantsAdmin)) return;
    const index = resultsOf(draft).findIndex(wantsAdmin);
    if (index >= 0) checkAdmin(server, draft, `status.allocation.devices.results[${index}].adminAccess`);
  },
};
