/** Rules of built-in kinds, gathered from the folders of their groups. */

import type { Fields } from '../apimachinery/object.ts';
import type { DefaultRule } from '../resources/defaulting.ts';
import { admissionregistrationKinds } from './admissionregistration/admissionregistration-kinds.ts';
import { apiextensionsKinds } from './apiextensions/apiextensions-kinds.ts';
import { apiregistrationKinds } from './apiregistration/apiregistration-kinds.ts';
import { appsKinds } from './apps/apps-kinds.ts';
import { authenticationKinds } from './authentication/authentication-kinds.ts';
import { autoscalingKinds } from './autoscaling/autoscaling-kinds.ts';
import { batchKinds } from './batch/batch-kinds.ts';
import type { BuiltinKind } from './builtin-kind.ts';
import { certificatesKinds } from './certificates/certificates-kinds.ts';
import { coordinationKinds } from './coordination/coordination-kinds.ts';
import { coreKinds } from './core/core-kinds.ts';
import { discoveryKinds } from './discovery/discovery-kinds.ts';
import { eventsKinds } from './events/events-kinds.ts';
import { flowcontrolKinds } from './flowcontrol/flowcontrol-kinds.ts';
import { networkingKinds } from './networking/networking-kinds.ts';
import { nodeKinds } from './node/node-kinds.ts';
import { policyKinds } from './policy/policy-kinds.ts';
import { rbacKinds } from './rbac/rbac-kinds.ts';
import { resourceKinds } from './resource/resource-kinds.ts';
import { schedulingKinds } from './scheduling/scheduling-kinds.ts';
import { storageKinds } from './storage/storage-kinds.ts';

/** Rules of kinds, by type. */
export const builtinKinds: Readonly<Record<string, BuiltinKind>> = {
  ...admissionregistrationKinds,
  ...apiextensionsKinds,
  ...apiregistrationKinds,
  ...appsKinds,
  ...authenticationKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificatesKinds,
  ...coordinationKinds,
  ...coreKinds,
  ...discoveryKinds,
  ...eventsKinds,
  ...flowcontrolKinds,
  ...networkingKinds,
  ...nodeKinds,
  ...policyKinds,
  ...rbacKinds,
  ...resourceKinds,
  ...schedulingKinds,
  ...storageKinds,
};

const all = Object.values(builtinKinds);

/** Constant defaults of absent fields, by type. */
export const defaultValues: Readonly<Record<string, Fields>> = Object.assign({}, ...all.map(({ values }) => values));

/** Defaults that depend on other fields, by type. */
export const defaultRules: Readonly<Record<string, DefaultRule>> = Object.assign(
  {},
  ...all.map(({ defaults }) => defaults),
);
