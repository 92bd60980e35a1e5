/** Built-in kinds of all groups, gathered from their folders. */

import type { Strategy } from '../server/strategy.ts';
import {
  admissionregistrationStrategies,
  admissionregistrationTable,
} from './admissionregistration/admissionregistration-resources.ts';
import { apiextensionsStrategies, apiextensionsTable } from './apiextensions/apiextensions-resources.ts';
import { apiregistrationTable } from './apiregistration/apiregistration-resources.ts';
import { appsStrategies, appsTable } from './apps/apps-resources.ts';
import { authenticationTable } from './authentication/authentication-resources.ts';
import { authorizationTable } from './authorization/authorization-resources.ts';
import { autoscalingStrategies, autoscalingTable } from './autoscaling/autoscaling-resources.ts';
import { batchStrategies, batchTable } from './batch/batch-resources.ts';
import { certificatesStrategies, certificatesTable } from './certificates/certificates-resources.ts';
import { coordinationStrategies, coordinationTable } from './coordination/coordination-resources.ts';
import { coreStrategies, coreTable } from './core/core-resources.ts';
import { discoveryStrategies, discoveryTable } from './discovery/discovery-resources.ts';
import { eventsStrategies, eventsTable } from './events/events-resources.ts';
import { flowcontrolStrategies, flowcontrolTable } from './flowcontrol/flowcontrol-resources.ts';
import { networkingStrategies, networkingTable } from './networking/networking-resources.ts';
import { nodeStrategies, nodeTable } from './node/node-resources.ts';
import { policyStrategies, policyTable } from './policy/policy-resources.ts';
import { rbacStrategies, rbacTable } from './rbac/rbac-resources.ts';
import { resourceStrategies, resourceTable } from './resource/resource-resources.ts';
import { schedulingStrategies, schedulingTable } from './scheduling/scheduling-resources.ts';
import { storageStrategies, storageTable } from './storage/storage-resources.ts';

/**
 * Built-in kinds: a line per group and version, below it one per kind, continued by a deeper indent. After the kind
 * and plural follow:
 * `-short` names, `@categories`, `#` the storage version hash (base64 of the first 8 bytes of the SHA-256 of `group/version/Kind`), `!` since which
 * version it is deprecated and what to use instead, `?` the field labels of selectors besides name and namespace, `=` the verbs unless all are served, and flags:
 * `namespaced`; `generation` is counted; PUT is `unconditional` (needs no resourceVersion) or an `upsert`; DELETE
 * answers with the object (`returned`);
 * a status update may change metadata (`statusMetadata`). `/name(group/version.Kind:verbs)` is a subresource,
 * `/status` and `/scale` are short forms.
 */
export const builtinTable = [
  coreTable,
  apiregistrationTable,
  appsTable,
  eventsTable,
  authenticationTable,
  authorizationTable,
  autoscalingTable,
  batchTable,
  certificatesTable,
  networkingTable,
  policyTable,
  rbacTable,
  storageTable,
  admissionregistrationTable,
  apiextensionsTable,
  schedulingTable,
  coordinationTable,
  nodeTable,
  discoveryTable,
  resourceTable,
  flowcontrolTable,
].join('\n');

const plain: Strategy = {};

const strategies: Readonly<Record<string, Strategy>> = {
  ...coreStrategies,
  ...appsStrategies,
  ...eventsStrategies,
  ...autoscalingStrategies,
  ...batchStrategies,
  ...certificatesStrategies,
  ...networkingStrategies,
  ...policyStrategies,
  ...rbacStrategies,
  ...storageStrategies,
  ...admissionregistrationStrategies,
  ...apiextensionsStrategies,
  ...schedulingStrategies,
  ...coordinationStrategies,
  ...nodeStrategies,
  ...discoveryStrategies,
  ...resourceStrategies,
  ...flowcontrolStrategies,
};

/** Returns the strategy of a collection. */
export const strategyOf = (collection: string): Strategy => strategies[collection] ?? plain;
