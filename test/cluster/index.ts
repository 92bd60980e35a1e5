export type { AuditEntry, Cluster, ClusterOptions, Interceptor, Listening } from './cluster.ts';
export { createCluster } from './cluster.ts';
export type { ApiRequest, ApiResponse, Handler, Sink, User } from './http/message.ts';
export type { ApiObject } from './objects/object.ts';
