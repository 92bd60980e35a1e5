/** Initial objects of kube-apiserver by their names, in JSON. Made by `npm run generate:upstream`. */

import type { Fields } from '../apimachinery/object.ts';
import { changedTable, paragraphsOf, type TableChanges } from '../resources/table-changes.ts';

/** Parses a table of initial objects: their names, and what it says of each. */
export const parseObjectTable = (
  table: string,
  changes?: TableChanges,
): readonly (readonly [name: string, seed: Fields])[] =>
  [...paragraphsOf(changedTable(table, changes))].map(([name, text]) => [name, JSON.parse(text.slice(name.length))]);

/** Specs of the FlowSchemas. */
export const flowSchemaTable = `
exempt {"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":1,"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:masters"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
catch-all {"priorityLevelConfiguration":{"name":"catch-all"},"matchingPrecedence":10000,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:unauthenticated"}},{"kind":"Group","group":{"name":"system:authenticated"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
system-nodes {"priorityLevelConfiguration":{"name":"system"},"matchingPrecedence":500,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:nodes"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
system-node-high {"priorityLevelConfiguration":{"name":"node-high"},"matchingPrecedence":400,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:nodes"}}],"resourceRules":[{"verbs":["*"],"apiGroups":[""],"resources":["nodes","nodes/status"],"clusterScope":true,"namespaces":["*"]},{"verbs":["*"],"apiGroups":["coordination.k8s.io"],"resources":["leases"],"namespaces":["*"]}]}]}
probes {"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":2,"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:unauthenticated"}},{"kind":"Group","group":{"name":"system:authenticated"}}],"nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/healthz","/readyz","/livez"]}]}]}
system-leader-election {"priorityLevelConfiguration":{"name":"leader-election"},"matchingPrecedence":100,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"User","user":{"name":"system:kube-controller-manager"}},{"kind":"User","user":{"name":"system:kube-scheduler"}},{"kind":"ServiceAccount","serviceAccount":{"namespace":"kube-system","name":"*"}}],"resourceRules":[{"verbs":["get","create","update"],"apiGroups":["coordination.k8s.io"],"resources":["leases"],"namespaces":["*"]}]}]}
kube-controller-manager {"priorityLevelConfiguration":{"name":"workload-high"},"matchingPrecedence":800,"distinguisherMethod":{"type":"ByNamespace"},"rules":[{"subjects":[{"kind":"User","user":{"name":"system:kube-controller-manager"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
kube-scheduler {"priorityLevelConfiguration":{"name":"workload-high"},"matchingPrecedence":800,"distinguisherMethod":{"type":"ByNamespace"},"rules":[{"subjects":[{"kind":"User","user":{"name":"system:kube-scheduler"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
kube-system-service-accounts {"priorityLevelConfiguration":{"name":"workload-high"},"matchingPrecedence":900,"distinguisherMethod":{"type":"ByNamespace"},"rules":[{"subjects":[{"kind":"ServiceAccount","serviceAccount":{"namespace":"kube-system","name":"*"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
service-accounts {"priorityLevelConfiguration":{"name":"workload-low"},"matchingPrecedence":9000,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:serviceaccounts"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
global-default {"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":9900,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:unauthenticated"}},{"kind":"Group","group":{"name":"system:authenticated"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
`;

/** Specs of the PriorityLevelConfigurations. */
export const priorityLevelTable = `
catch-all {"type":"Limited","limited":{"nominalConcurrencyShares":5,"limitResponse":{"type":"Reject"},"lendablePercent":0}}
exempt {"type":"Exempt","exempt":{"nominalConcurrencyShares":0,"lendablePercent":0}}
system {"type":"Limited","limited":{"nominalConcurrencyShares":30,"limitResponse":{"type":"Queue","queuing":{"queues":64,"handSize":6,"queueLengthLimit":50}},"lendablePercent":33}}
node-high {"type":"Limited","limited":{"nominalConcurrencyShares":40,"limitResponse":{"type":"Queue","queuing":{"queues":64,"handSize":6,"queueLengthLimit":50}},"lendablePercent":25}}
leader-election {"type":"Limited","limited":{"nominalConcurrencyShares":10,"limitResponse":{"type":"Queue","queuing":{"queues":16,"handSize":4,"queueLengthLimit":50}},"lendablePercent":0}}
workload-high {"type":"Limited","limited":{"nominalConcurrencyShares":40,"limitResponse":{"type":"Queue","queuing":{"queues":128,"handSize":6,"queueLengthLimit":50}},"lendablePercent":50}}
workload-low {"type":"Limited","limited":{"nominalConcurrencyShares":100,"limitResponse":{"type":"Queue","queuing":{"queues":128,"handSize":6,"queueLengthLimit":50}},"lendablePercent":90}}
global-default {"type":"Limited","limited":{"nominalConcurrencyShares":20,"limitResponse":{"type":"Queue","queuing":{"queues":128,"handSize":6,"queueLengthLimit":50}},"lendablePercent":50}}
`;

/** PriorityClasses without their defaults. */
export const priorityClassTable = `
system-node-critical {"value":2000001000,"description":"Used for system critical pods that must not be moved from their current node."}
system-cluster-critical {"value":2000000000,"description":"Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."}
`;

/** Priorities of the APIServices of built-in groups and versions. */
export const apiServiceTable = `
v1. {"groupPriorityMinimum":18000,"versionPriority":1}
v1.admissionregistration.k8s.io {"groupPriorityMinimum":16700,"versionPriority":15}
v1.apiextensions.k8s.io {"groupPriorityMinimum":16700,"versionPriority":15}
v1.apps {"groupPriorityMinimum":17800,"versionPriority":15}
v1.authentication.k8s.io {"groupPriorityMinimum":17700,"versionPriority":15}
v1.authorization.k8s.io {"groupPriorityMinimum":17600,"versionPriority":15}
v1.autoscaling {"groupPriorityMinimum":17500,"versionPriority":15}
v1.batch {"groupPriorityMinimum":17400,"versionPriority":15}
v1.certificates.k8s.io {"groupPriorityMinimum":17300,"versionPriority":15}
v1.coordination.k8s.io {"groupPriorityMinimum":16500,"versionPriority":15}
v1.discovery.k8s.io {"groupPriorityMinimum":16200,"versionPriority":15}
v1.events.k8s.io {"groupPriorityMinimum":17750,"versionPriority":15}
v1.flowcontrol.apiserver.k8s.io {"groupPriorityMinimum":16100,"versionPriority":21}
v1.networking.k8s.io {"groupPriorityMinimum":17200,"versionPriority":15}
v1.node.k8s.io {"groupPriorityMinimum":16300,"versionPriority":15}
v1.policy {"groupPriorityMinimum":17100,"versionPriority":15}
v1.rbac.authorization.k8s.io {"groupPriorityMinimum":17000,"versionPriority":15}
v1.resource.k8s.io {"groupPriorityMinimum":16200,"versionPriority":21}
v1.scheduling.k8s.io {"groupPriorityMinimum":16600,"versionPriority":15}
v1.storage.k8s.io {"groupPriorityMinimum":16800,"versionPriority":15}
v2.autoscaling {"groupPriorityMinimum":17500,"versionPriority":30}
`;
