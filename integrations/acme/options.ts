/** Options of the ACME integration and their validation. */

import { backoffs, type Clock, type RateLimits, systemClock } from '../../sdk/index.ts';
import { DriftSchedule } from '../drift-schedule.ts';
import { fetchWithCa, isCertificate } from '../fetch-with-ca.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import { accountKeyOf, type ExternalAccount } from './account-key.ts';
import { acmeAuthority } from './acme-authority.ts';
import { acmeServer } from './acme-server.ts';
import type { CertificateAuthority } from './authority.ts';
import type { NameProof } from './proof.ts';
import { checkedProof, endpointsOfProof, type NameProofOptions, proofOptionNames } from './proof-options.ts';

/** Options of {@link acmeCertificate}. */
export interface AcmeCertificateOptions extends NameProofOptions {
  /** URL of the directory of the ACME server, such as `https://acme-v02.api.letsencrypt.org/directory`. */
  readonly directory: string;
  /** Private key of the account as PEM: P-256, P-384, or RSA of 2048 bits or more. The account is made when it does not exist. */
  readonly accountKey: string;
  /** Agreement to the terms of service of the authority. */
  readonly agreeToTerms: true;
  /** Address for messages of the authority. @default none */
  readonly email?: string;
  /** External account binding (RFC 8555, section 7.3.4); the key in base64url. @default none */
  readonly externalAccount?: ExternalAccount;
  /** CA certificates of the server, as PEM. @default the system's */
  readonly ca?: string;
  /** Revokes certificates that are no longer used. @default false */
  readonly revoke?: boolean;
  /** ms from a failed order to the next one for the same names. @default `backoffs.certificateOrder` */
  readonly retryInterval?: number;
  /** Maximum interval in ms between two checks of the Secret, shortened by up to a quarter. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number;
  /** Maximum interval in ms between two requests of the renewal information (RFC 9773). `Infinity`: never. @default 21 600 000 */
  readonly renewalInterval?: number;
  /** ms until a request fails. @default 15 000 */
  readonly deadline?: number;
  /** Most requests at a time, for all workspaces together. @default 4 */
  readonly concurrency?: number;
  /** Rate limits of the account; integrations with one account must share one object. @default 5 calls per second, 5 at once */
  readonly limits?: RateLimits;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Jitter of the checks. @default Math.random */
  readonly random?: () => number;
}

/** Options with their defaults. */
export interface CheckedAcmeOptions {
  readonly authority: CertificateAuthority;
  /** Reports whether the authority has an order with this URL: a former authority's is of another host. */
  readonly isOfAuthority: (url: string) => boolean;
  readonly proof: NameProof;
  readonly endpoints: readonly string[];
  readonly revoke: boolean;
  /** ms */
  readonly retryInterval: number;
  /** Schedule of the checks of the Secret. */
  readonly driftSchedule: DriftSchedule;
  /** Questions when to renew. */
  readonly renewals: DriftSchedule;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Name of the integration in messages. */
const name = 'acmeCertificate';

const { refuse, members, wholeNumber, baseUrl }: OptionChecks = optionChecks(name);

const known = [
  ...['directory', 'accountKey', 'agreeToTerms', 'email', 'externalAccount', 'ca', 'revoke', 'retryInterval'],
  ...['driftInterval', 'renewalInterval', 'deadline', 'concurrency', 'limits', 'fetch', 'clock', 'random'],
  ...proofOptionNames,
];

function checkAccount({ agreeToTerms, email, externalAccount }: AcmeCertificateOptions): void {
  if (agreeToTerms !== true) refuse('agreeToTerms', 'true: read the terms of service of the authority first');
  if (email !== undefined && !(typeof email === 'string' && /^[^\s@,]{1,64}@[^\s@,]{1,253}$/.test(email)))
    refuse('email', 'one address', email);
  if (externalAccount === undefined) return;
  members('externalAccount', externalAccount, ['kid', 'hmacKey']);
  const { kid, hmacKey } = externalAccount;
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(kid)) refuse('externalAccount.kid', 'the id of the key');
  if (typeof hmacKey !== 'string' || !/^[\w-]{16,1024}$/.test(hmacKey))
    refuse('externalAccount.hmacKey', 'the key in base64url');
}

function fetchOf({ ca, fetch = globalThis.fetch }: AcmeCertificateOptions): typeof globalThis.fetch {
  if (typeof fetch !== 'function') refuse('fetch', 'a function');
  if (ca === undefined) return fetch;
  if (fetch !== globalThis.fetch) refuse('ca', 'left out if fetch is given');
  if (!isCertificate(ca)) refuse('ca', 'certificates as PEM: -----BEGIN CERTIFICATE-----');
  return fetchWithCa(ca);
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedAcmeOptions(options: AcmeCertificateOptions): CheckedAcmeOptions {
  members('options', options, known);
  const { accountKey, email, externalAccount, revoke = false, clock = systemClock, random } = options;
  checkAccount(options);
  const key = typeof accountKey === 'string' ? accountKeyOf(accountKey) : undefined;
  if (key === undefined)
    return refuse('accountKey', 'a private key as PEM, without a password: P-256, P-384, or RSA of 2048 bits or more');
  if (typeof revoke !== 'boolean') refuse('revoke', 'true or false', revoke);
  const proof = checkedProof(options);
  const times = { min: 1, max: 2 ** 31 - 1 };
  const directory = baseUrl('directory', options.directory);
  const { origin } = new URL(directory);
  const server = acmeServer({
    directory,
    accountKey: key,
    email,
    externalAccount,
    fetch: fetchOf(options),
    clock,
    deadline: wholeNumber('deadline', options.deadline ?? 15_000, { min: 1, max: 600_000 }),
    concurrency: wholeNumber('concurrency', options.concurrency ?? 4, { min: 1, max: 1_000 }),
  });
  const { driftInterval, renewalInterval = 21_600_000 } = options;
  return {
    authority: acmeAuthority({ server, key, type: proof.type }),
    isOfAuthority: (url) => URL.canParse(url) && new URL(url).origin === origin,
    proof,
    endpoints: [options.directory, ...endpointsOfProof(options)],
    revoke,
    retryInterval: wholeNumber('retryInterval', options.retryInterval ?? backoffs.certificateOrder.initialDelay, times),
    driftSchedule: new DriftSchedule({ name, driftInterval, clock, random }),
    renewals: new DriftSchedule({ name: `${name}: renewals`, driftInterval: renewalInterval, clock, random }),
    limits: options.limits ?? { rate: 5, burst: 5 },
    clock,
  };
}
