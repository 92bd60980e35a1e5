export type { AuditEntry } from './audit.ts';
export type { Cluster, Interceptor, Listening, ListenOptions } from './cluster.ts';
export { createCluster } from './cluster.ts';
export type { KindName } from './control.ts';
export type { KubeletOptions } from './controllers/kubelet.ts';
export type { NamespaceOptions } from './controllers/namespaces.ts';
export type { ApiRequest, ApiResponse, Handler, Sink, User } from './http/message.ts';
export type { ApiObject } from './objects/object.ts';
export type { ClusterOptions } from './start.ts';
