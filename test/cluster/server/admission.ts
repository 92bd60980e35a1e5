/** Admission: writes, and the interface that reviews them. */

import type { Fields } from '../apimachinery/object.ts';
import type { ApiRequest, User } from '../requests/message.ts';
import type { ResourcePath } from '../requests/routes.ts';
import type { Resource } from '../resources/registry.ts';

/** Operation on an object; CONNECT does not write. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Group, version and kind. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** New and old object of a write. */
export interface Change {
  readonly object: Fields | undefined;
  readonly oldObject: Fields | undefined;
}

/** User and options of the write. */
export interface AdmissionOptions {
  readonly user: User;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  /** Options of the request. */
  readonly options?: Fields;
  readonly random: () => number;
}

/** Request of a write to be admitted. */
export interface AdmissionCall {
  readonly request: ApiRequest;
  readonly path: ResourcePath;
  readonly resource: Resource;
  /** Texts of Warning headers; admission appends to it. */
  readonly warnings: string[];
}

/** Write to be admitted. */
export interface AdmissionAttributes {
  readonly call: AdmissionCall;
  readonly operation: Operation;
  readonly name: string;
  /** Kind of the object where it differs from the resource's. */
  readonly kind?: KindName;
  readonly options: Pick<AdmissionOptions, 'dryRun' | 'fieldManager' | 'options'>;
}

/** Mutating and validating phase of one write. */
export interface AdmissionChain {
  /** Returns the object after defaulted limits and mutating webhooks. Rejects with StatusErrors. */
  mutate(change: Change): Promise<Fields | undefined>;
  /** Rejects with the StatusError of the first limit, policy, webhook or quota that denies the write. */
  validate(change: Change): Promise<void>;
}
