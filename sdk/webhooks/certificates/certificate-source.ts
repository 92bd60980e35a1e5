/** Sources of the serving certificate of webhooks. */

import type { WebhookInstallation } from '../installation.ts';

/** Certificate and its key, in PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** Installation of the webhooks, and the callback for certificates. */
export interface CertificateUse {
  readonly installation: WebhookInstallation;
  /** Called with the first pair and with each replacement. */
  readonly onPair: (pair: CertificatePair) => void;
}

/** Source of certificates: it runs as long as the server does. */
export interface CertificateSource {
  /** Provides certificates until the signal aborts. Rejects when it cannot provide any. */
  run(signal: AbortSignal, use: CertificateUse): Promise<void>;
}
