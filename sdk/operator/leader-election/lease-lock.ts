/** Lock of leader election on a Lease object. */

import { isDeepStrictEqual } from 'node:util';
import { Lease } from '../../api/kinds.ts';
import type { ObjectKey } from '../../api/object.ts';
import { group } from '../../api/workspace.ts';
import { isOlder } from '../../client/cache/resource-version.ts';
import type { CallOptions, Client } from '../../client/client.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import type { Clock } from '../../clock.ts';
import { AlreadyExistsError, ConflictError } from '../../errors.ts';

type LeaseSpec = NonNullable<Lease['spec']>;

/** Longest duration in ms that a lease of others is respected for without a renewal: every client that may edit it could write 68 years. */
const longestElectionLease = 3_600_000;

/** Most transitions that a lease can count; they begin anew then. */
const mostTransitions = 2 ** 31;

/** Annotation of a lease with the id of the process that holds it. */
const processAnnotation = `${group}/process`;

/** Options of {@link LeaseLock}. */
export interface LeaseLockOptions {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  readonly lease: ObjectKey;
  readonly identity: string;
  /** Labels that the lease gets with each write. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Unique id of this process, for an identity that others may have too: a lease that another process has left under it is waited for. It is kept in an
   * annotation of the lease. @default the identity is unique
   */
  readonly processId?: string;
  /** ms that other candidates wait after the last renewal they observed. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

/** Lease as one of its candidates has observed it. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  /** State that was last read or written. */
  #known: Lease | undefined;
  /** Monotonic ms when the last change of it was observed. */
  #changedAt = 0;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** The holder when the lease was last observed, as far as a log shows it; empty when there is none. */
  get holder(): string {
    return (this.#known?.spec?.holderIdentity ?? '').slice(0, 253);
  }

  /** Reports whether another candidate was the holder when the lease was last observed. */
  isTaken(): boolean {
    return this.holder !== '' && !this.#isOurs(this.#known);
  }

  #isOurs(lease: Lease | undefined): boolean {
    const { identity, processId } = this.#options;
    return (
      lease?.spec?.holderIdentity === identity &&
      (processId === undefined || lease.metadata.annotations?.[processAnnotation] === processId)
    );
  }

  /** Notes a state of the lease that a watch has shown; undefined: it was deleted. @returns whether it is free to be acquired */
  observed(lease: Lease | undefined): boolean {
    if (lease === undefined) this.#known = undefined;
    else if (!isOlder(lease.metadata.resourceVersion, this.#known?.metadata.resourceVersion)) this.#saw(lease);
    return this.holder === '';
  }

  /** Returns the ms until the lease expires unless it is renewed; 0 when it has, or is not known. */
  expiresIn(): number {
    return this.#known === undefined ? 0 : Math.max(0, this.#expiresAt(this.#known) - this.#options.clock.monotonic());
  }

  /** Acquires the lease if it is free, or renews it if this candidate holds it. False: another candidate holds it, or won the race. */
  async acquireOrRenew(call: CallOptions): Promise<boolean> {
    try {
      const lease = await this.#read(call);
      if (lease === undefined) return await this.#create(call);
      if (this.isTaken() && this.#expiresAt(lease) > this.#options.clock.monotonic()) return false;
      await this.#write(lease, this.#taken(lease), call);
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
    if (lease === undefined || !this.#isOurs(lease)) return;
    const leaseTransitions = lease.spec?.leaseTransitions ?? 0;
    const now = this.#timestamp();
    const freed = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    await this.#write(lease, freed, { deadline });
  }

  async #read(call: CallOptions): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    const found = await ignoreNotFound(client.get(Lease, lease, call));
    if (found !== undefined) return this.#saw(found);
    this.#known = undefined;
    return undefined;
  }

  async #create(call: CallOptions): Promise<true> {
    const { client, lease } = this.#options;
    const metadata = this.#marked({ ...lease });
    const spec = { ...this.#taken({ metadata }), leaseTransitions: 0 };
    this.#saw(await client.create(Lease, { metadata, spec }, call));
    return true;
  }

  async #write(lease: Lease, spec: LeaseSpec, call: CallOptions): Promise<void> {
    const metadata = this.#marked(lease.metadata);
    this.#saw(await this.#options.client.update(Lease, { ...lease, metadata, spec }, call));
  }

  /** Returns the metadata with our labels and the id of this process. */
  #marked(metadata: Lease['metadata']): Lease['metadata'] {
    const { labels, processId } = this.#options;
    return {
      ...metadata,
      ...(labels && { labels: { ...metadata.labels, ...labels } }),
      ...(processId !== undefined && { annotations: { ...metadata.annotations, [processAnnotation]: processId } }),
    };
  }

  /** Returns the spec with this candidate as the holder, renewed now. */
  #taken(lease: Pick<Lease, 'metadata' | 'spec'>): LeaseSpec {
    const { identity, leaseDuration } = this.#options;
    const { acquireTime, leaseTransitions = 0 } = lease.spec ?? {};
    const renewTime = this.#timestamp();
    const isOurs = this.#isOurs(lease as Lease);
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
      acquireTime: (isOurs ? acquireTime : undefined) ?? renewTime,
      renewTime,
      leaseTransitions: isOurs ? leaseTransitions : (leaseTransitions + 1) % mostTransitions,
    };
  }

  /** Returns when the lease expires, in monotonic ms: by the local clock since its last observed change. */
  #expiresAt({ spec }: Lease): number {
    const duration = Math.min((spec?.leaseDurationSeconds ?? 0) * 1000, longestElectionLease);
    return this.#changedAt + Math.max(duration, this.#options.leaseDuration);
  }

  #saw(lease: Lease): Lease {
    if (!isDeepStrictEqual(this.#known?.spec, lease.spec)) this.#changedAt = this.#options.clock.monotonic();
    this.#known = lease;
    return lease;
  }

  /** Returns the current time as a MicroTime. */
  #timestamp(): string {
    return new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z');
  }
}
