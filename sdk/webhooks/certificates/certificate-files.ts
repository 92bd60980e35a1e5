/** Certificates in files that another program renews, such as cert-manager. */

import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { aborted } from '../../aborted.ts';
import { messageOf } from '../../thrown.ts';
import type { CertificatePair, CertificateSource, CertificateUse } from './certificate-source.ts';

/** Options of {@link certificateFiles}. */
export interface CertificateFilesOptions {
  /** Folder of the mounted Secret. */
  readonly folder: string;
  /** @default 'tls.crt' */
  readonly certificate?: string;
  /** @default 'tls.key' */
  readonly key?: string;
  readonly logger?: Logger | undefined;
}

class CertificateFiles implements CertificateSource {
  readonly #options: CertificateFilesOptions;
  #served: string | undefined;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal, use: CertificateUse): Promise<void> {
    let reading = Promise.resolve();
    const reload = (): void => {
      reading = reading.then(() => this.#check(use));
    };
    const watcher = watch(this.#options.folder, reload);
    const failed = Promise.withResolvers<never>();
    watcher.once('error', failed.reject);
    try {
      reload();
      await Promise.race([aborted(signal).catch(() => undefined), failed.promise]);
    } finally {
      watcher.close();
      await reading;
    }
  }

  /** Serves the current contents of the files. A certificate and key that do not match are ignored until the next change. */
  async #check({ onPair }: CertificateUse): Promise<void> {
    const { folder, logger } = this.#options;
    try {
      const pair = await this.#read();
      const text = `${pair.certificate}${pair.key}`;
      if (text === this.#served) return;
      const { X509Certificate, createPrivateKey } = await import('node:crypto');
      if (!new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key)))
        throw new Error('the key is not that of the certificate');
      this.#served = text;
      onPair(pair);
    } catch (error) {
      logger?.error({ folder, reason: messageOf(error) }, 'the certificate of the webhooks cannot be read');
    }
  }

  async #read(): Promise<CertificatePair> {
    const { folder, certificate = 'tls.crt', key = 'tls.key' } = this.#options;
    return {
      certificate: await readFile(join(folder, certificate), 'utf8'),
      key: await readFile(join(folder, key), 'utf8'),
    };
  }
}

/**
 * Returns a source that reads the certificate from a folder, as a kubelet mounts a Secret, and again when an entry of the folder changes (`..data`).
 * Another program sets the CA bundles, such as cert-manager's CA injector. `run` rejects when the folder does not exist.
 */
export const certificateFiles = (options: CertificateFilesOptions): CertificateSource => new CertificateFiles(options);
