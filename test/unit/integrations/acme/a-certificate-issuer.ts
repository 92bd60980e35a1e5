/** Certificates that a server in memory issues. */

import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../../../sdk/index.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { requestIn } from '../../../cluster/pki/certificate-request.ts';
import { der, extension, readValues, sequence } from '../../../cluster/pki/der.ts';

/** Certificate, and whether it still counts. */
export interface IssuedCertificate {
  readonly names: readonly string[];
  readonly chain: string;
  readonly id: string;
  readonly parsed: X509Certificate;
  /** End of its validity in ms. */
  readonly to: number;
  revoked: boolean;
}

/** Refusal, as a problem document. */
export class Problem extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, detail: string) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

const day = 24 * 60 * 60 * 1_000;
const authorityKey = Buffer.from('key of the authority');

/** Authority that signs certificates for others' keys. */
export class CertificateIssuer {
  readonly certificates: IssuedCertificate[] = [];
  readonly #authority: ReturnType<typeof createAuthority>;
  readonly #clock: Clock;
  readonly #validity: number;
  readonly #namesItsKey: boolean;

  constructor({
    clock,
    validity = 90 * day,
    namesItsKey = true,
  }: {
    readonly clock: Clock;
    readonly validity?: number;
    readonly namesItsKey?: boolean;
  }) {
    this.#authority = createAuthority(clock.now());
    this.#clock = clock;
    this.#validity = validity;
    this.#namesItsKey = namesItsKey;
  }

  /** Issues a certificate for a request in base64url. @throws Problem when it is not for these names */
  issue({ csr, names, id }: { readonly csr: string; readonly names: readonly string[]; readonly id: string }): string {
    const body = Buffer.from(csr, 'base64url').toString('base64');
    const request = requestIn(`-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----`);
    const [list] = readValues(request?.alternativeNames ?? Buffer.alloc(0));
    const asked = readValues(list?.content ?? Buffer.alloc(0)).map(({ content }) => content.toString());
    if (request?.isSigned() !== true || [...asked].sort().join() !== [...names].sort().join())
      throw new Problem(400, 'badCSR', `the request is for ${asked.join()}`);
    const from = this.#clock.now();
    const to = from + this.#validity;
    const chain = this.#authority.certify({
      subject: request.subject,
      publicKey: request.publicKey,
      extensions: [
        ...(this.#namesItsKey ? [extension('2.5.29.35', sequence(der(0x80, authorityKey)))] : []),
        extension('2.5.29.17', request.alternativeNames!),
      ],
      from,
      to,
    });
    this.certificates.push({ names, chain, id, parsed: new X509Certificate(chain), to, revoked: false });
    return chain;
  }

  /** Revokes a certificate, in DER as base64url. @throws Problem */
  revoke(certificate: string): void {
    const raw = Buffer.from(certificate, 'base64url');
    const found = this.certificates.find(({ parsed }) => parsed.raw.equals(raw));
    if (found === undefined) throw new Problem(404, 'malformed', 'no such certificate');
    if (found.revoked) throw new Problem(400, 'alreadyRevoked', 'the certificate is revoked already');
    found.revoked = true;
  }

  /** Returns when a certificate should be renewed: late in its validity, and of a revoked one now. @throws Problem */
  renewal(id: string): object {
    const idOf = ({ serialNumber }: X509Certificate) =>
      [authorityKey, Buffer.from(serialNumber, 'hex')].map((part) => part.toString('base64url')).join('.');
    const found = this.certificates.find(({ parsed }) => idOf(parsed) === id);
    if (found === undefined) throw new Problem(404, 'malformed', 'no such certificate');
    const start = found.to - (found.revoked ? this.#validity + day : this.#validity * 0.4);
    return { suggestedWindow: { start: new Date(start).toISOString(), end: new Date(start + 1_000).toISOString() } };
  }
}
