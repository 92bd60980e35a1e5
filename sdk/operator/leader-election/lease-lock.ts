/** Lock of leader election on a Lease object. */

import { isSameJson } from '../../api/json.ts';
import { Lease } from '../../api/kinds.ts';
import type { ObjectKey } from '../../api/object.ts';
import { group } from '../../api/workspace.ts';
import { isOlder } from '../../client/cache/resource-version.ts';
import type { CallOptions, Client } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import type { Clock } from '../../clock.ts';
import { AlreadyExistsError, ConflictError } from '../../errors.ts';
import { maxLeaseDuration, nextTransitions } from '../lease-bounds.ts';

type LeaseSpec = NonNullable<Lease['spec']>;

/** Annotation of a lease with the id of the process that holds it. */
const processAnnotation = `${group}/process`;

/** Options of {@link LeaseLock}. */
export interface LeaseLockOptions {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  readonly lease: ObjectKey;
  readonly identity: string;
  /** Labels of the lease, set by each write. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Unique id of this process, for an identity that other processes may have had: their lease must expire first. Stored in an annotation of the lease.
   * @default the identity is unique
   */
  readonly processId?: string;
  /** ms that other candidates wait after the last renewal they observed. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

/** Lock on a Lease, by the state that one candidate has observed. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  /** Last state that was read, written or watched. */
  #known: Lease | undefined;
  /** Monotonic ms when the last change of it was observed. */
  #changedAt = 0;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Last observed holder, at most 253 characters of it; empty without one. */
  get holder(): string {
    return (this.#known?.spec?.holderIdentity ?? '').slice(0, 253);
  }

  /** Reports whether another candidate was the last observed holder. */
  isTaken(): boolean {
    return this.holder !== '' && !this.#isHeldByThis(this.#known);
  }

  #isHeldByThis(lease: Lease | undefined): boolean {
    const { identity, processId } = this.#options;
    return (
      lease?.spec?.holderIdentity === identity &&
      (processId === undefined || lease.metadata.annotations?.[processAnnotation] === processId)
    );
  }

  /** Records a state of the lease from a watch; undefined for a deleted one. @returns whether it has no holder */
  observe(lease: Lease | undefined): boolean {
    if (lease === undefined) this.#known = undefined;
    else if (!isOlder(lease.metadata.resourceVersion, this.#known?.metadata.resourceVersion)) this.#record(lease);
    return this.holder === '';
  }

  /** Returns the ms until the lease expires without a renewal; 0 for an expired or unknown one. */
  expiresIn(): number {
    return this.#known === undefined ? 0 : Math.max(0, this.#expiresAt(this.#known) - this.#options.clock.monotonic());
  }

  /** Acquires the lease if it is free or expired, or renews it if this candidate holds it. Resolves with false if another candidate holds it or won the race. */
  async acquireOrRenew(call: CallOptions): Promise<boolean> {
    try {
      const lease = await this.#read(call);
      if (lease === undefined) return await this.#create(call);
      if (this.isTaken() && this.#expiresAt(lease) > this.#options.clock.monotonic()) return false;
      await this.#write(lease, this.#ownSpec(lease), call);
      return true;
    } catch (error) {
      if (error instanceof ConflictError || error instanceof AlreadyExistsError) return false;
      throw error;
    }
  }

  /** Releases the lease if this candidate holds it, within `deadline` ms. */
  async release(deadline: number): Promise<void> {
    if (this.#known === undefined || this.isTaken()) return;
    const lease = await this.#read({ deadline });
    if (lease === undefined || !this.#isHeldByThis(lease)) return;
    const leaseTransitions = lease.spec?.leaseTransitions ?? 0;
    const now = this.#timestamp();
    const releasedSpec = {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions,
    };
    await this.#write(lease, releasedSpec, { deadline });
  }

  async #read(call: CallOptions): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    const found = await ignoreNotFound(client.get(Lease, lease, call));
    if (found !== undefined) return this.#record(found);
    this.#known = undefined;
    return undefined;
  }

  async #create(call: CallOptions): Promise<true> {
    const { client, lease } = this.#options;
    const metadata = this.#withOwnMetadata({ ...lease });
    const spec = { ...this.#ownSpec({ metadata }), leaseTransitions: 0 };
    this.#record(await client.create(Lease, { metadata, spec }, call));
    return true;
  }

  async #write(lease: Lease, spec: LeaseSpec, call: CallOptions): Promise<void> {
    const metadata = this.#withOwnMetadata(lease.metadata);
    this.#record(await this.#options.client.update(Lease, { ...lease, metadata, spec }, call));
  }

  /** Returns the metadata with the configured labels and the id of this process. */
  #withOwnMetadata(metadata: Lease['metadata']): Lease['metadata'] {
    const { labels, processId } = this.#options;
    return {
      ...metadata,
      ...(labels && { labels: { ...metadata.labels, ...labels } }),
      ...(processId !== undefined && { annotations: { ...metadata.annotations, [processAnnotation]: processId } }),
    };
  }

  /** Returns the spec with this candidate as the holder, renewed now. */
  #ownSpec(lease: Pick<Lease, 'metadata' | 'spec'>): LeaseSpec {
    const { identity, leaseDuration } = this.#options;
    const { acquireTime, leaseTransitions = 0 } = lease.spec ?? {};
    const renewTime = this.#timestamp();
    const isOurs = this.#isHeldByThis(lease as Lease);
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
      acquireTime: (isOurs ? acquireTime : undefined) ?? renewTime,
      renewTime,
      leaseTransitions: isOurs ? leaseTransitions : nextTransitions(leaseTransitions),
    };
  }

  /** Returns the expiry of the lease in monotonic ms, counted from its last observed change. */
  #expiresAt({ spec }: Lease): number {
    const duration = Math.min((spec?.leaseDurationSeconds ?? 0) * 1000, maxLeaseDuration);
    return this.#changedAt + Math.max(duration, this.#options.leaseDuration);
  }

  #record(lease: Lease): Lease {
    if (!isSameJson(this.#known?.spec, lease.spec)) this.#changedAt = this.#options.clock.monotonic();
    this.#known = lease;
    return lease;
  }

  /** Returns the current time as a MicroTime. */
  #timestamp(): string {
    return new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z');
  }
}
