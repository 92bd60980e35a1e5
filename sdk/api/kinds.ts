/** Built-in kinds that the package reads and writes. */

import type {
  CoreV1Event,
  V1ConfigMap,
  V1Deployment,
  V1Lease,
  V1Namespace,
  V1Pod,
  V1Secret,
  V1Service,
} from '@kubernetes/client-node';
import type { CustomResourceDefinition, Kind } from './kind.ts';
import type { Frozen, KubeObject } from './object.ts';

/** Wire form of a type of @kubernetes/client-node: times are strings, metadata is {@link ObjectMeta}. */
type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]: Wire<T[Member]> }
      : T;
type FromModel<T> = Wire<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> & KubeObject;

const core = <T extends KubeObject>(kind: string, plural: string, namespaced = true): Kind<T> => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

export type Pod = FromModel<V1Pod>;
export const Pod = core<Pod>('Pod', 'pods');
export type Service = FromModel<V1Service>;
export const Service = core<Service>('Service', 'services');
export type Secret = FromModel<V1Secret>;
export const Secret = core<Secret>('Secret', 'secrets');
export type ConfigMap = FromModel<V1ConfigMap>;
export const ConfigMap = core<ConfigMap>('ConfigMap', 'configmaps');
export type Namespace = FromModel<V1Namespace>;
export const Namespace = core<Namespace>('Namespace', 'namespaces', false);
export type Event = FromModel<CoreV1Event>;
/** Core events; the recorder writes `events.k8s.io` if the server serves it. */
export const Event = core<Event>('Event', 'events');
export type Deployment = FromModel<V1Deployment>;
export const Deployment: Kind<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
export type Lease = FromModel<V1Lease>;
export const Lease: Kind<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};
export const CustomResourceDefinitionKind: Kind<Frozen<CustomResourceDefinition> & CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
