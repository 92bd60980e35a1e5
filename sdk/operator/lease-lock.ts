import { isDeepStrictEqual } from 'node:util';
import { Lease } from '../api/kinds.ts';
import type { ObjectKey } from '../api/object.ts';
import type { CallOptions, Client } from '../client/client.ts';
import { ignoreNotFound } from '../client/ignore-not-found.ts';
import type { Clock } from '../clock.ts';
import { AlreadyExistsError, ConflictError } from '../errors.ts';

type LeaseSpec = NonNullable<Lease['spec']>;

/** What a {@link LeaseLock} takes. */
export interface LeaseLockOptions {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  readonly lease: ObjectKey;
  readonly identity: string;
  /** ms that others wait after the last renewal they saw. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

/** A lease as one of its candidates knows it. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  /** As it was last read or written. */
  #known: Lease | undefined;
  /** Monotonic ms when it was last seen to be another one. */
  #changedAt = 0;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Whether somebody else was seen to hold it. */
  isTaken(): boolean {
    const holder = this.#known?.spec?.holderIdentity ?? '';
    return holder !== '' && holder !== this.#options.identity;
  }

  /** Takes the lease if it is free, renews it if it is ours. False: somebody else holds it, or was faster. */
  async acquireOrRenew(call: CallOptions): Promise<boolean> {
    try {
      const lease = await this.#read(call);
      if (lease === undefined) return await this.#create(call);
      if (this.isTaken() && !this.#isOver(lease)) return false;
      await this.#write(lease, this.#taken(lease.spec ?? {}), call);
      return true;
    } catch (error) {
      if (error instanceof ConflictError || error instanceof AlreadyExistsError) return false;
      throw error;
    }
  }

  /** Lets the lease go if it is ours, `deadline` ms at most. */
  async release(deadline: number): Promise<void> {
    if (this.#known === undefined || this.isTaken()) return;
    const lease = await this.#read({ deadline });
    if (lease?.spec?.holderIdentity !== this.#options.identity) return;
    const { leaseTransitions = 0 } = lease.spec;
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
    const spec = { ...this.#taken({}), leaseTransitions: 0 };
    this.#saw(await client.create(Lease, { metadata: { ...lease }, spec }, call));
    return true;
  }

  async #write(lease: Lease, spec: LeaseSpec, call: CallOptions): Promise<void> {
    this.#saw(await this.#options.client.update(Lease, { ...lease, spec }, call));
  }

  /** The record with us as the holder, renewed now. */
  #taken({ holderIdentity, acquireTime, leaseTransitions = 0 }: LeaseSpec): LeaseSpec {
    const { identity, leaseDuration } = this.#options;
    const renewTime = this.#timestamp();
    const isOurs = holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
      acquireTime: (isOurs ? acquireTime : undefined) ?? renewTime,
      renewTime,
      leaseTransitions: isOurs ? leaseTransitions : leaseTransitions + 1,
    };
  }

  /** Whether its holder has let it run out, by our own clock since we saw it change last. */
  #isOver({ spec }: Lease): boolean {
    const duration = (spec?.leaseDurationSeconds ?? 0) * 1000;
    return this.#changedAt + Math.max(duration, this.#options.leaseDuration) <= this.#options.clock.monotonic();
  }

  #saw(lease: Lease): Lease {
    if (!isDeepStrictEqual(this.#known?.spec, lease.spec)) this.#changedAt = this.#options.clock.monotonic();
    this.#known = lease;
    return lease;
  }

  /** As the server has it: with microseconds. */
  #timestamp(): string {
    return new Date(this.#options.clock.now()).toISOString().replace('Z', '000Z');
  }
}
