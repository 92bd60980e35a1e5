/** Columns of the kinds of the group, and their descriptions. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import { type Printer, simple, text } from '../printing/printer.ts';

/** Returns the state of a ResourceClaim. */
function claimState({ deletionTimestamp }: Fields, { allocation, reservedFor }: Fields): string {
  const isDeleted = deletionTimestamp !== undefined;
  const isReserved = allocation !== undefined && Array.isArray(reservedFor) && reservedFor.length > 0;
  const states = [
    isDeleted && 'deleted',
    allocation === undefined ? !isDeleted && 'pending' : 'allocated',
    isReserved && 'reserved',
  ];
  return states.filter(Boolean).join(',');
}

/** Printers of the kinds of the group, by plural. */
export const resourcePrinters: Readonly<Record<string, Printer>> = {
  deviceclasses: simple('', () => []),
  resourceclaimtemplates: simple('', () => []),
  resourceclaims: simple('State', ({ metadata, status }) => [claimState(fieldsOf(metadata), fieldsOf(status))]),
  resourceslices: simple('Node|Driver|Pool', ({ spec }) => {
    const { nodeName, driver, pool } = fieldsOf(spec);
    return [text(nodeName), text(driver), text(fieldsOf(pool).name)];
  }),
};

/** Descriptions of the columns, by `plural Column`. */
export const resourceColumnTexts: Readonly<Record<string, string>> = {
  'resourceclaims State': 'A summary of the current state (allocated, pending, reserved, etc.).',
  'resourceslices Driver':
    'Driver identifies the DRA driver providing the capacity information. A field selector can be used to list only ResourceSlice objects with a certain driver name.\n\nMust be a DNS subdomain and should end with a DNS domain owned by the vendor of the driver. This field is immutable.',
  'resourceslices Node':
    'NodeName identifies the node which provides the resources in this pool. A field selector can be used to list only ResourceSlice objects belonging to a certain node.\n\nThis field can be used to limit access from nodes to ResourceSlices with the same node name. It also indicates to autoscalers that adding new nodes of the same type as some old node might also make new resources available.\n\nExactly one of NodeName, NodeSelector, AllNodes, and PerDeviceNodeSelection must be set. This field is immutable.',
  'resourceslices Pool':
    'Name is used to identify the pool. For node-local devices, this is often the node name, but this is not required.\n\nIt must not be longer than 253 characters and must consist of one or more DNS sub-domains separated by slashes. This field is immutable.',
};
