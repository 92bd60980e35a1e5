/** Parts that every verb and controller shares. */

import type { Clock } from '../../../sdk/clock.ts';
import type { ApiObject, Draft } from '../apimachinery/object.ts';
import type { Authority } from '../pki/certificate.ts';
import type { Profile } from '../resources/profiles.ts';
import type { Registry } from '../resources/registry.ts';
import type { Store } from '../storage/store.ts';
import type { AdmissionAttributes, AdmissionChain } from './admission.ts';
import type { Authorizer } from './authorizer.ts';
import type { ProtobufEncoder } from './protobuf-encoder.ts';
import type { Scheme } from './scheme.ts';
import type { ServiceAllocator } from './service-allocator.ts';
import type { Tokens } from './tokens.ts';

/** Shared parts of one cluster's API server. */
export interface ServerContext {
  readonly store: Store;
  readonly registry: Registry;
  readonly scheme: Scheme;
  readonly clock: Clock;
  /** Random source in [0, 1); seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** Returns the JSON text of a frozen value, cached. */
  readonly jsonOf: (value: object) => string;
  /** Request counts by the labels of `/metrics`. */
  readonly requests: () => ReadonlyMap<string, number>;
  /** Protobuf encoder; loaded on first use. */
  readonly protobufEncoder: () => Promise<ProtobufEncoder>;
  /** IPs and ports of Services. */
  readonly serviceAllocator: ServiceAllocator;
  /** Interval between bookmarks, in ms. */
  readonly bookmarkInterval: number;
  /** Certificate authority of the server; created on first use. */
  readonly authority: () => Authority;
  /** Decides which requests are allowed. */
  readonly authorizer: Authorizer;
  readonly tokens: Tokens;
  /** Registered webhooks and policies; loaded on first use. */
  readonly admission: () => Promise<(admitted: AdmissionAttributes) => AdmissionChain>;
  /** Converter that calls a definition's conversion webhook; loaded on first use. */
  readonly converterOf: (definition: ApiObject) => Promise<Convert>;
  /** Log text of a container. */
  readonly logOf: (pod: ApiObject, container: string) => string;
  /** Capabilities of the emulated version. */
  readonly profile: Profile;
  /** Version that `/version` reports, such as `v1.34.1`. */
  readonly version: string;
}

/** Converts an object to another version. Rejects with the server's 500. */
export type Convert = (object: Draft, apiVersion: string) => Promise<Draft>;
