/** Brings certificates from Secrets to a Caddy server, by its admin API. */

import {
  type ConfiguredRunnable,
  createInformerController,
  type Runnable,
  type RunnableHost,
  Secret,
} from 'workspace-sequencer/sdk';

/** Options of {@link certificateLoader}. */
export interface CertificateLoaderOptions {
  /** Address of the admin API. */
  readonly url: string;
  readonly namespace: string;
}

const pemOf = (value = ''): string => Buffer.from(value, 'base64').toString();

/** Keeps the certificates of all Secrets with `tls.crt` and `tls.key` in the configuration of Caddy: `apps.tls.certificates.load_pem`. */
export const certificateLoader = ({ url, namespace }: CertificateLoaderOptions): ConfiguredRunnable => ({
  name: 'certificate-loader',
  permissions: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }],
  create({ client, clock, logger }: RunnableHost): Runnable {
    let loaded = '[]';
    return createInformerController<Secret>({
      ...{ client, clock, name: 'certificate-loader', kind: Secret, selection: { namespace }, workers: 1 },
      ...(logger && { logger }),
      async reconciler({ stored, signal }) {
        const all = [...stored(Secret).list()].flatMap(({ data = {} }) =>
          data['tls.crt'] && data['tls.key']
            ? [{ certificate: pemOf(data['tls.crt']), key: pemOf(data['tls.key']) }]
            : [],
        );
        const body = JSON.stringify(all);
        if (body === loaded) return {};
        const headers = { 'content-type': 'application/json', connection: 'close' };
        const path = '/config/apps/tls/certificates/load_pem';
        const { ok, status } = await fetch(`${url}${path}`, { method: 'PATCH', headers, body, signal });
        if (!ok) throw new Error(`PATCH ${path}: HTTP ${status}`);
        loaded = body;
        return {};
      },
    });
  },
});
