/** Kinds of the core group as resources, with what writes do besides validation. Loaded when a cluster starts. */

import { setOfPaths } from '../../managed-fields/field-set.ts';
import type { Strategy } from '../../server/strategy.ts';
import { claimStrategy, volumeStrategy } from '../storage/storage-strategy.ts';
import { namespaceStrategy } from './namespace-strategy.ts';
import { nodeStrategy } from './node-strategy.ts';
import { podStrategy } from './pods/pod-strategy.ts';
import { serviceStrategy } from './services/service-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const coreTable = `\
v1
  Binding bindings namespaced =create
  ComponentStatus componentstatuses -cs !1.19 =get,list
  ConfigMap configmaps -cm #qFsyl6wFWjQ= namespaced unconditional
  Endpoints endpoints -ep #fWeeMqaN/OA= !1.33,discovery.k8s.io/v1.EndpointSlice namespaced unconditional upsert
  Event events -ev #r2yiGXH7wu8= namespaced unconditional upsert ?involvedObject.apiVersion ?involvedObject.fieldPath
    ?involvedObject.kind ?involvedObject.name ?involvedObject.namespace ?involvedObject.resourceVersion
    ?involvedObject.uid ?reason ?reportingComponent ?source ?type
  LimitRange limitranges -limits #EBKMFVe6cwo= namespaced unconditional upsert
  Namespace namespaces -ns #Q3oi5N2YM8M= unconditional statusMetadata =create,delete,get,list,patch,update,watch
    ?status.phase /finalize(Namespace:update) /status
  Node nodes -no #XwShjMxG9Fs= unconditional statusMetadata ?spec.unschedulable
    /proxy(NodeProxyOptions:create,delete,get,patch,update) /status
  PersistentVolumeClaim persistentvolumeclaims -pvc #QWTyNDq0dC4= namespaced unconditional returned statusMetadata
    /status
  PersistentVolume persistentvolumes -pv #HN/zwEC+JgM= unconditional returned statusMetadata /status
  Pod pods -po @all #xPOwRZ+Yhw8= namespaced generation unconditional returned statusMetadata ?spec.host
    ?spec.hostNetwork ?spec.nodeName ?spec.restartPolicy ?spec.schedulerName ?spec.serviceAccountName
    ?status.nominatedNodeName ?status.phase ?status.podIP ?status.podIPs /attach(PodAttachOptions:create,get)
    /binding(Binding:create) /ephemeralcontainers(Pod:get,patch,update) /eviction(policy/v1.Eviction:create)
    /exec(PodExecOptions:create,get) /log(Pod:get) /portforward(PodPortForwardOptions:create,get)
    /proxy(PodProxyOptions:create,delete,get,patch,update) /resize(Pod:get,patch,update) /status
  PodTemplate podtemplates #LIXB2x4IFpk= namespaced generation unconditional returned
  ReplicationController replicationcontrollers -rc @all #Jond2If31h0= namespaced generation unconditional statusMetadata
    ?status.replicas /scale /status
  ResourceQuota resourcequotas -quota #8uhSgffRX6w= namespaced unconditional returned statusMetadata /status
  Secret secrets #S6u1pOWzb84= namespaced unconditional ?type
  ServiceAccount serviceaccounts -sa #pbx9ZvyFpBE= namespaced unconditional returned
    /token(authentication.k8s.io/v1.TokenRequest:create)
  Service services -svc @all #0/CO1lhkEBI= namespaced unconditional upsert returned statusMetadata ?spec.clusterIP
    ?spec.type /proxy(ServiceProxyOptions:create,delete,get,patch,update) /status`;

/** Strategies of the group, by collection. */
export const coreStrategies: Readonly<Record<string, Strategy>> = {
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': { ...claimStrategy, validationPasses: { times: 5 } },
  '/persistentvolumes': volumeStrategy,
  '/pods': {
    ...podStrategy,
    resetFields: {
      status: setOfPaths([['f:spec'], ['f:metadata', 'f:deletionTimestamp'], ['f:metadata', 'f:ownerReferences']]),
    },
  },
  '/services': { ...serviceStrategy, validationPasses: { times: 3 } },
  '/podtemplates': { validationPasses: { times: 3 } },
  '/resourcequotas': { validationPasses: { times: 3 } },
  '/limitranges': { validationPasses: { times: 3 } },
  '/events': { validationPasses: { times: 2 } },
};
