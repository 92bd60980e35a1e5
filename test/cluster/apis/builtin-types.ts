import { parseTypes, type TypeTable } from '../resources/type-table.ts';
import { admissionregistrationTypes } from './admissionregistration/api-types.ts';
import { apiextensionsTypes } from './apiextensions/api-types.ts';
import { appsTypes } from './apps/api-types.ts';
import { autoscaling2Types, autoscalingTypes } from './autoscaling/api-types.ts';
import { batchTypes } from './batch/api-types.ts';
import { coreTypes } from './core/api-types.ts';
import { corePodTypes } from './core/pods/pod-types.ts';
import { coreVolumeTypes } from './core/volumes/volume-types.ts';
import { metaTypes } from './meta-types.ts';
import { networkingTypes } from './networking/api-types.ts';
import { pageTypes } from './page-types.ts';
import { resourceTypes } from './resource/api-types.ts';
import * as small from './small-group-types.ts';
import { storageTypes } from './storage/api-types.ts';

const api = 'io.k8s.api';

/** Creates a table of all built-in types. Import this module lazily: when a built-in kind is first written, patched or described. */
export const builtinTypes = (): TypeTable =>
  parseTypes({
    meta: { package: 'io.k8s.apimachinery.pkg.apis.meta.v1', text: metaTypes },
    core: { package: `${api}.core.v1`, text: coreTypes + corePodTypes.slice(1) + coreVolumeTypes.slice(1) },
    apps: { package: `${api}.apps.v1`, text: appsTypes },
    batch: { package: `${api}.batch.v1`, text: batchTypes },
    autoscaling: { package: `${api}.autoscaling.v1`, text: autoscalingTypes },
    autoscaling2: { package: `${api}.autoscaling.v2`, text: autoscaling2Types },
    pages: { package: 'io.k8s.apimachinery.pkg.apis.meta.v1', text: pageTypes },
    networking: { package: `${api}.networking.v1`, text: networkingTypes },
    storage: { package: `${api}.storage.v1`, text: storageTypes },
    admissionregistration: { package: `${api}.admissionregistration.v1`, text: admissionregistrationTypes },
    apiextensions: {
      package: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
      text: apiextensionsTypes,
    },
    apiregistration: {
      package: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
      text: small.apiregistrationTypes,
    },
    authentication: { package: `${api}.authentication.v1`, text: small.authenticationTypes },
    authorization: { package: `${api}.authorization.v1`, text: small.authorizationTypes },
    certificates: { package: `${api}.certificates.v1`, text: small.certificatesTypes },
    coordination: { package: `${api}.coordination.v1`, text: small.coordinationTypes },
    discovery: { package: `${api}.discovery.v1`, text: small.discoveryTypes },
    events: { package: `${api}.events.v1`, text: small.eventsTypes },
    flowcontrol: { package: `${api}.flowcontrol.v1`, text: small.flowcontrolTypes },
    node: { package: `${api}.node.v1`, text: small.nodeTypes },
    policy: { package: `${api}.policy.v1`, text: small.policyTypes },
    rbac: { package: `${api}.rbac.v1`, text: small.rbacTypes },
    resource: { package: `${api}.resource.v1`, text: resourceTypes },
    scheduling: { package: `${api}.scheduling.v1`, text: small.schedulingTypes },
  });
