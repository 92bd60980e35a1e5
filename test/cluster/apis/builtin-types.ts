/** Type tables of all API groups. */

import { changedTable, type VersionChanges } from '../resources/table-changes.ts';
import { parseTypes, type Section, type TypeTable } from '../resources/type-table.ts';
import { admissionregistrationTypes } from './admissionregistration/api-types.ts';
import { apiextensionsTypes } from './apiextensions/api-types.ts';
import { apiregistrationTypes } from './apiregistration/api-types.ts';
import { appsTypes } from './apps/api-types.ts';
import { authenticationTypes } from './authentication/api-types.ts';
import { authorizationTypes } from './authorization/api-types.ts';
import { autoscaling2Types, autoscalingTypes } from './autoscaling/api-types.ts';
import { batchTypes } from './batch/api-types.ts';
import { certificatesTypes } from './certificates/api-types.ts';
import { coordinationTypes } from './coordination/api-types.ts';
import { coreTypes } from './core/api-types.ts';
import { corePodTypes } from './core/pods/pod-types.ts';
import { coreVolumeTypes } from './core/volumes/volume-types.ts';
import { discoveryTypes } from './discovery/api-types.ts';
import { eventsTypes } from './events/api-types.ts';
import { flowcontrolTypes } from './flowcontrol/api-types.ts';
import { metaTypes } from './meta-types.ts';
import { networkingTypes } from './networking/api-types.ts';
import { nodeTypes } from './node/api-types.ts';
import { pagesTypes } from './page-types.ts';
import { policyTypes } from './policy/api-types.ts';
import { rbacTypes } from './rbac/api-types.ts';
import { resourceTypes } from './resource/api-types.ts';
import { schedulingTypes } from './scheduling/api-types.ts';
import { storageTypes } from './storage/api-types.ts';

const api = 'io.k8s.api';

const sections: Readonly<Record<string, Section>> = {
  meta: { package: 'io.k8s.apimachinery.pkg.apis.meta.v1', text: metaTypes },
  core: { package: `${api}.core.v1`, text: coreTypes + corePodTypes.slice(1) + coreVolumeTypes.slice(1) },
  apps: { package: `${api}.apps.v1`, text: appsTypes },
  batch: { package: `${api}.batch.v1`, text: batchTypes },
  autoscaling: { package: `${api}.autoscaling.v1`, text: autoscalingTypes },
  autoscaling2: { package: `${api}.autoscaling.v2`, text: autoscaling2Types },
  pages: { package: 'io.k8s.apimachinery.pkg.apis.meta.v1', text: pagesTypes },
  networking: { package: `${api}.networking.v1`, text: networkingTypes },
  storage: { package: `${api}.storage.v1`, text: storageTypes },
  admissionregistration: { package: `${api}.admissionregistration.v1`, text: admissionregistrationTypes },
  apiextensions: {
    package: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    text: apiextensionsTypes,
  },
  apiregistration: {
    package: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
    text: apiregistrationTypes,
  },
  authentication: { package: `${api}.authentication.v1`, text: authenticationTypes },
  authorization: { package: `${api}.authorization.v1`, text: authorizationTypes },
  certificates: { package: `${api}.certificates.v1`, text: certificatesTypes },
  coordination: { package: `${api}.coordination.v1`, text: coordinationTypes },
  discovery: { package: `${api}.discovery.v1`, text: discoveryTypes },
  events: { package: `${api}.events.v1`, text: eventsTypes },
  flowcontrol: { package: `${api}.flowcontrol.v1`, text: flowcontrolTypes },
  node: { package: `${api}.node.v1`, text: nodeTypes },
  policy: { package: `${api}.policy.v1`, text: policyTypes },
  rbac: { package: `${api}.rbac.v1`, text: rbacTypes },
  resource: { package: `${api}.resource.v1`, text: resourceTypes },
  scheduling: { package: `${api}.scheduling.v1`, text: schedulingTypes },
};

/**
 * Creates a table of all built-in types, with the changes of a version by section. Import this module lazily: when a
 * built-in kind is first written, patched or described.
 */
export const builtinTypes = (changes: VersionChanges['types'] = {}): TypeTable =>
  parseTypes(
    Object.fromEntries(
      Object.entries(sections).map(([name, section]) => [
        name,
        { ...section, text: changedTable(section.text, changes[name]) },
      ]),
    ),
  );
