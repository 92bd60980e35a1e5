/** Sources of the serving certificate of webhooks. */

import type { WebhookInstallation } from '../installation.ts';

/** Certificate and its key, in PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** Input of a source, from the server of webhooks. */
export interface CertificateUse {
  readonly installation: WebhookInstallation;
  /** Called with the first pair and with each replacement. */
  readonly onPair: (pair: CertificatePair) => void;
}

/** Source of certificates: it runs as long as the server does. */
export interface CertificateSource {
  /** Resolves after the signal has aborted; rejects when there can be no certificate. */
  run(signal: AbortSignal, use: CertificateUse): Promise<void>;
}
