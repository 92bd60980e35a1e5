/** Rules of the kinds of `apps`. */

import type { BuiltinKind } from '../builtin-kind.ts';
import { controllerRevision } from './controller-revision.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { replicaSet } from './replica-set.ts';
import { statefulSet } from './stateful-set.ts';

/** Rules of the kinds of `apps`, by type. */
export const appsKinds: Readonly<Record<string, BuiltinKind>> = {
  'apps.ControllerRevision': controllerRevision,
  'apps.DaemonSet': daemonSet,
  'apps.Deployment': deployment,
  'apps.ReplicaSet': replicaSet,
  'apps.StatefulSet': statefulSet,
};
