/** Contract of the certificate authority: the operations that the integration needs. */

/** Type of challenges: a TXT record, or a response over HTTP. */
export type ChallengeType = 'dns-01' | 'http-01';

/** Challenge of one name, and its response. */
export interface NameChallenge {
  readonly url: string;
  /** Name of the TXT record, or host of the response. */
  readonly name: string;
  /** Text of the record, or of the response, which starts with the token and a dot. */
  readonly text: string;
}

/** Created order. */
export interface NewOrder {
  readonly url: string;
  /** Pending challenges; none for names that the account has recently proved. */
  readonly challenges: readonly NameChallenge[];
}

/** State of an order. */
export interface CertificateOrder {
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  readonly finalize: string;
  /** URL of the certificate, once it is valid. */
  readonly certificate: string | undefined;
  /** Words of the authority about an order that has failed. */
  readonly problem: string | undefined;
  /** ms until the next poll, as requested by the authority. */
  readonly retryAfter: number | undefined;
}

/** Arguments of each operation about something that has a URL. */
export interface AuthorityRequest {
  readonly url: string;
  readonly signal: AbortSignal;
}

/**
 * Certificate authority with one account, which is created on first use. All operations may be repeated.
 * @throws DefiniteError for a refusal, ThrottledError for a rate limit, another Error when the outcome is unknown
 */
export interface CertificateAuthority {
  /** Creates an order, which has no effect unless it is finalized. */
  order(request: { readonly names: readonly string[]; readonly signal: AbortSignal }): Promise<NewOrder>;
  /** Reads an order; undefined when the authority does not know it any more. */
  read(request: AuthorityRequest): Promise<CertificateOrder | undefined>;
  /** Requests the validation of a challenge, unless it was validated. */
  answer(request: AuthorityRequest): Promise<void>;
  /** Has the certificate issued, by the order's `finalize`: once for an order. */
  finalize(request: AuthorityRequest & { readonly request: string }): Promise<void>;
  /** Reads a certificate with its chain, as PEM. */
  certificate(request: AuthorityRequest): Promise<string>;
  /** Revokes a certificate, in DER as base64url, unless that is done. */
  revoke(request: { readonly raw: string; readonly signal: AbortSignal }): Promise<void>;
  /** Reads the time in which a certificate should be renewed; undefined where the authority does not say. */
  renewalWindow(request: {
    readonly id: string;
    readonly signal: AbortSignal;
  }): Promise<{ readonly start: number; readonly end: number } | undefined>;
}
