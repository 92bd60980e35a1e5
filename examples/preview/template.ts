/** Template of the example's previews: a web server that is given a database, a bucket and a name. */

import type { PreviewTemplate } from 'workspace-sequencer/integrations/previews';
import { gate } from './node-agent.ts';

/** Options of {@link templateOf}. */
export interface TemplateOptions {
  readonly namespace: string;
  readonly zone: string;
  /** Additional settings of each preview, by integration. */
  readonly integrations: PreviewTemplate['spec']['integrations'];
}

/** Returns the Workspace of each pull request; `${pr::…}` and `${outputs::…}` are replaced for each. */
export const templateOf = ({ namespace, zone, integrations }: TemplateOptions): PreviewTemplate => ({
  metadata: { name: 'shop-${pr::number}', namespace },
  spec: {
    components: [
      {
        name: 'web',
        networks: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
        template: {
          readinessGates: [{ conditionType: gate }], // for ./node-agent.ts, which runs a process in place of the image
          containers: [
            {
              name: 'web',
              image: 'ghcr.io/acme/shop:${pr::sha}',
              env: [
                { name: 'COMMIT', value: '${pr::sha}' },
                { name: 'DATABASE_URI', valueFrom: { secretKeyRef: '${outputs::Database.uri}' } },
                { name: 'BUCKET', value: '${outputs::Bucket.bucket}' },
                { name: 'AWS_ENDPOINT_URL_S3', value: '${outputs::Bucket.endpoint}' },
                { name: 'AWS_REGION', value: '${outputs::Bucket.region}' },
                { name: 'AWS_ACCESS_KEY_ID', valueFrom: { secretKeyRef: '${outputs::Bucket.accessKeyId}' } },
                { name: 'AWS_SECRET_ACCESS_KEY', valueFrom: { secretKeyRef: '${outputs::Bucket.secretAccessKey}' } },
              ],
            },
          ],
        },
      },
    ],
    networking: {
      dns: { zone },
      ingress: {
        className: 'none',
        rules: [{ name: 'web', subdomain: 'pr-${pr::number}', path: '/', component: 'web', network: 'http' }],
      },
    },
    integrations,
  },
});
