/** Kinds of `apps` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import { equal, isFields } from '../../apimachinery/object.ts';
import { setOfPaths } from '../../managed-fields/field-set.ts';
import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const appsTable = `\
apps/v1
  ControllerRevision controllerrevisions #85nkx63pcBU= namespaced unconditional
  DaemonSet daemonsets -ds @all #dd7pWHUlMKQ= namespaced generation unconditional statusMetadata /status
  Deployment deployments -deploy @all #8aSe+NMegvE= namespaced generation unconditional statusMetadata /scale /status
  ReplicaSet replicasets -rs @all #P1RzHs8/mWQ= namespaced generation unconditional statusMetadata /scale /status
  StatefulSet statefulsets -sts @all #H+vl74LkKdo= namespaced generation unconditional statusMetadata /scale /status`;

/** Deployments: status updates may change all metadata but labels. */
const deploymentStrategy: Strategy = {
  validationPasses: { times: 3 },
  resetFields: { status: setOfPaths([['f:spec'], ['f:metadata', 'f:labels']]) },
  annotationsIncrementGeneration: true,
  prepareForUpdate(draft, { metadata: { labels } }, subresource) {
    if (subresource !== 'status') return;
    if (labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = labels;
  },
};

/** Annotation that counts the changes of a DaemonSet's template. */
export const templateGeneration = 'deprecated.daemonset.template.generation';

/** DaemonSets: an annotation counts the changes of their template. */
const daemonSetStrategy: Strategy = {
  validationPasses: { times: 3 },
  allocate(_server, draft, current) {
    if (current === undefined) return;
    const [now, before] = [draft.spec, current.spec].map((spec) => (isFields(spec) ? spec.template : undefined));
    const count = Number(current.metadata.annotations?.[templateGeneration] ?? 1);
    const next = String(equal(now, before) ? count : count + 1);
    draft.metadata.annotations = { ...draft.metadata.annotations, [templateGeneration]: next };
  },
};

/** Strategies of the group, by collection. */
export const appsStrategies: Readonly<Record<string, Strategy>> = {
  'apps/daemonsets': daemonSetStrategy,
  'apps/deployments': deploymentStrategy,
  'apps/replicasets': { validationPasses: { times: 3 } },
  'apps/statefulsets': { validationPasses: { times: 3 } },
};
