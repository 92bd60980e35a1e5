/** Certificates that the replicas of a program issue themselves and share in a Secret. */

import type { Logger } from 'pino';
import { Secret } from '../../api/kinds.ts';
import type { KubeObject } from '../../api/object.ts';
import { createReflector } from '../../client/cache/reflector.ts';
import { Store } from '../../client/cache/store.ts';
import type { Client } from '../../client/client.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { AlreadyExistsError, ConflictError } from '../../errors.ts';
import { backoffDelay, backoffs } from '../../retry.ts';
import { messageOf } from '../../thrown.ts';
import { serviceHosts, type WebhookTarget, webhookTargets } from '../installation.ts';
import { bundleApply } from './ca-bundle.ts';
import type { CertificateSource, CertificateUse } from './certificate-source.ts';
import { makeCertificates } from './make-certificates.ts';
import {
  bundleOf,
  type CertificatePlan,
  parseCertificates,
  planCertificates,
  type SecretText,
  type StoredCertificates,
  secretTextOf,
} from './stored-certificates.ts';

/** Options of {@link ownCertificates}. */
export interface OwnCertificatesOptions {
  readonly client: Client;
  /** Name of the Secret, in the namespace of the service; no other program may read it. */
  readonly secret: string;
  /** Hosts that webhooks are called at besides the service, such as that of a `url`. @default none */
  readonly hosts?: readonly string[];
  /** Lifetime of an authority in ms; it is renewed after two thirds. @default a year */
  readonly authorityLifetime?: number;
  /** Lifetime of a server certificate in ms; it is renewed after two thirds. @default 90 days */
  readonly lifetime?: number;
  /** ms between the distribution of a new authority's CA bundle and the first certificate that it issues, for API servers to observe the bundle; less than a third of `authorityLifetime`. @default 600 000 */
  readonly overlap?: number;
  readonly clock?: Clock;
  readonly logger?: Logger | undefined;
}

const [hour, day] = [3_600_000, 86_400_000];
const defaults = { authorityLifetime: 365 * day, lifetime: 90 * day, overlap: 600_000 };
/** Bounds of a lifetime in ms; times in certificates are whole seconds. */
const lifetimes = { least: 3000, most: 100 * 365 * day };
/** Maximum ms between two checks: the wall clock may be set in between. */
const maxWait = hour;
/** ms between two replacements of certificates that are not valid yet. */
const earlyPause = 60_000;

/** Objects that one run follows, and its signal. */
interface FollowedObjects {
  readonly use: CertificateUse;
  readonly hosts: readonly string[];
  readonly secrets: Store<Secret>;
  readonly targets: readonly { readonly target: WebhookTarget; readonly store: Store<KubeObject> }[];
  readonly signal: AbortSignal;
}

const textOf = ({ data = {} }: Secret): SecretText =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]));

/** Checks that a certificate is renewed before it expires. @throws RangeError */
function checkTimes({ authorityLifetime, lifetime, overlap }: typeof defaults): void {
  for (const [name, time] of Object.entries({ authorityLifetime, lifetime }))
    if (!(time >= lifetimes.least && time <= lifetimes.most))
      throw new RangeError(`own certificates: ${name} (${time} ms) must lie between 3 seconds and 100 years`);
  if (!(overlap >= 0 && overlap < authorityLifetime / 3))
    throw new RangeError(
      `own certificates: overlap (${overlap} ms) must lie between 0 and a third of authorityLifetime (${authorityLifetime} ms), which is left when a new authority is made`,
    );
}

class OwnCertificates implements CertificateSource {
  readonly #options: OwnCertificatesOptions & typeof defaults;
  readonly #clock: Clock;
  /** True once the first list of the Secret and of all targets is complete. */
  #allSynced = false;
  /** Bundle that all targets have, and the monotonic time since which this process has observed it there. */
  #trusted: { readonly bundle: string; readonly since: number } | undefined;
  #served: string | undefined;
  #last: StoredCertificates | undefined;
  /** Monotonic time at which this process has made certificates. */
  #madeAt = Number.NEGATIVE_INFINITY;
  #wake = Promise.withResolvers<void>();

  constructor(options: OwnCertificatesOptions) {
    this.#options = { ...defaults, ...options };
    checkTimes(this.#options);
    this.#clock = options.clock ?? systemClock;
  }

  async run(signal: AbortSignal, use: CertificateUse): Promise<void> {
    const { service } = use.installation;
    const hosts = [...serviceHosts(service), ...(this.#options.hosts ?? [])];
    const secrets = new Store<Secret>();
    const targets = webhookTargets(use.installation).map((target) => ({ target, store: new Store<KubeObject>() }));
    const reflectors = [
      this.#follow(Secret, secrets, { namespace: service.namespace, fields: `metadata.name=${this.#options.secret}` }),
      ...targets.map(({ target: { kind, name }, store }) =>
        this.#follow(kind, store, { fields: `metadata.name=${name}` }),
      ),
    ];
    const running = reflectors.map((one) => one.run(signal));
    await reflectors[0]!.synced.catch(() => undefined);
    const allSynced = Promise.all(reflectors.map(({ synced }) => synced)).then(() => {
      this.#allSynced = true;
      this.#wake.resolve();
    });
    allSynced.catch(() => undefined);
    for (let failures = 0; !signal.aborted; ) {
      this.#wake = Promise.withResolvers();
      const delay = await this.#step({ use, hosts, secrets, targets, signal }).then(
        (wait) => {
          failures = 0;
          return wait;
        },
        (error: unknown) => this.#failed(error, failures++, signal),
      );
      await this.#sleep(delay, signal);
    }
    await Promise.all(running);
  }

  #follow<T extends KubeObject>(
    kind: Parameters<typeof createReflector<T>>[0]['kind'],
    store: Store<T>,
    selection: object,
  ) {
    const { client, logger } = this.#options;
    const onChange = () => this.#wake.resolve();
    return createReflector<T>({
      client,
      kind,
      store,
      selection,
      onChange,
      clock: this.#clock,
      ...(logger && { logger }),
    });
  }

  /** Waits until something changes, or for `ms`. */
  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const late = this.#clock.sleep(Math.min(ms, maxWait), until).catch(() => undefined);
    await Promise.race([this.#wake.promise, late]);
    over.abort();
  }

  /** Logs a failure, except for a lost race; returns the ms until the next attempt. */
  #failed(error: unknown, failures: number, signal: AbortSignal): number {
    const isRace = error instanceof ConflictError || error instanceof AlreadyExistsError;
    if (!signal.aborted && !isRace)
      this.#options.logger?.error({ err: error }, `certificates of the webhooks: ${messageOf(error)}`);
    return backoffDelay(isRace ? backoffs.race : backoffs.certificates, failures, Math.random);
  }

  /** Renews certificates that are due, writes the CA bundles and serves them; returns the ms until the next check. */
  async #step(followed: FollowedObjects): Promise<number> {
    const { use, hosts, secrets, signal } = followed;
    const { secret: name } = this.#options;
    const { namespace } = use.installation.service;
    const secret = secrets.get({ namespace, name });
    const held = secret && parseCertificates(textOf(secret));
    const plan = this.#planOf(held, hosts);
    const current = plan.action === 'keep' ? held! : await this.#make(plan.action, held, hosts);
    if (plan.action !== 'keep') await this.#write(current, secret, { namespace, name, signal });
    this.#last = current;
    try {
      await this.#distribute(current, followed);
    } finally {
      this.#serve(current, use);
    }
    const again = this.#planOf(current, hosts).nextCheckAt - this.#clock.now();
    const untilTrusted = this.#trusted && this.#trusted.since + this.#options.overlap - this.#clock.monotonic();
    return Math.max(0, untilTrusted !== undefined && untilTrusted > 0 ? Math.min(again, untilTrusted) : again);
  }

  #planOf(held: StoredCertificates | undefined, hosts: readonly string[]): CertificatePlan {
    const { bundle, since = 0 } = this.#trusted ?? {};
    const isHeld = held !== undefined && bundle === bundleOf(held.authorities);
    const trusted = isHeld && this.#clock.monotonic() - since >= this.#options.overlap;
    const [now, sinceMade] = [this.#clock.now(), this.#clock.monotonic() - this.#madeAt];
    return planCertificates(held, { now, hosts, trusted, earlyUntil: now + Math.max(0, earlyPause - sinceMade) });
  }

  #make(
    action: Exclude<CertificatePlan['action'], 'keep'>,
    held: StoredCertificates | undefined,
    hosts: readonly string[],
  ) {
    const { secret: name, logger } = this.#options;
    logger?.info({ name, action }, 'certificates of the webhooks are made');
    this.#madeAt = this.#clock.monotonic();
    return makeCertificates(action, { ...this.#options, held, last: this.#last, name, hosts, now: this.#clock.now() });
  }

  /** Writes the Secret. @throws ConflictError or AlreadyExistsError when another replica was faster */
  async #write(
    held: StoredCertificates,
    secret: Secret | undefined,
    { signal, ...key }: { readonly namespace: string; readonly name: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const { client } = this.#options;
    const data = Object.fromEntries(
      Object.entries(secretTextOf(held)).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
    );
    if (secret === undefined)
      await client.create(Secret, { metadata: key, type: 'kubernetes.io/tls', data }, { signal });
    else await client.update(Secret, { ...secret, data }, { signal });
  }

  /** Applies the bundle to each existing target; it counts as trusted once it was observed in all of them. */
  async #distribute(held: StoredCertificates, { targets, hosts, signal }: FollowedObjects): Promise<void> {
    const { client, secret } = this.#options;
    const bundle = bundleOf(held.authorities);
    const missing = targets.flatMap(({ target, store }) => {
      const object = store.get({ name: target.name });
      const value = object && bundleApply(target, object, { bundle, hosts });
      return value === undefined ? [] : [{ target, value }];
    });
    const isTrusted = missing.length === 0 && this.#allSynced;
    if (!isTrusted) this.#trusted = undefined;
    else if (this.#trusted?.bundle !== bundle) this.#trusted = { bundle, since: this.#clock.monotonic() };
    for (const { target, value } of missing) {
      const apply = { type: 'apply', value, force: true } as const;
      await client.patch(target.kind, { name: target.name }, apply, { signal, fieldManager: `${secret}-ca-bundle` });
    }
  }

  #serve({ pair }: StoredCertificates, { onPair }: CertificateUse): void {
    if (pair.certificate === this.#served) return;
    this.#served = pair.certificate;
    onPair(pair);
  }
}

/**
 * Returns a source whose certificates the replicas issue themselves, without cert-manager: an authority and a server certificate for the service, in a
 * Secret in its namespace. It sets `caBundle` of the webhook configurations and definitions, and no other field of them. Both certificates are renewed
 * before they expire, and a new authority issues only after it is trusted.
 *
 * Permissions: `list`, `watch`, `create` and `update` of the Secret; `list`, `watch` and `patch` of the configurations and definitions, by name.
 * @throws RangeError for lifetimes below three seconds or above a century, and for an `overlap` of a third of `authorityLifetime` or more
 */
export const ownCertificates = (options: OwnCertificatesOptions): CertificateSource => new OwnCertificates(options);
