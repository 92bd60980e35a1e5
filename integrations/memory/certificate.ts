/** In-memory certificate authority for demonstrations, with the condition and outputs of `acmeCertificate`. */

import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import {
  defineIntegration,
  type Integration,
  type ProviderController,
  refuseUnknown,
  Secret,
  secretNameOf,
  secretsRule,
} from '../../sdk/index.ts';
import { nameOfRule, withoutDot } from '../dns/records.ts';
import { ingressRulesOf } from '../ingress-rules.ts';
import { checkMemoryStore, createMemoryStore, type MemoryStore, memoryResource } from './store.ts';

/** Certificate of a workspace. */
export interface MemoryCertificate {
  readonly names: readonly string[];
}

/** Certificates in a Map: which names have one. */
export type MemoryCertificateServer = MemoryStore<MemoryCertificate>;

/** Creates a server without certificates. */
export const createMemoryCertificateServer = (): MemoryCertificateServer => createMemoryStore<MemoryCertificate>();

/** Options of {@link memoryCertificate}. */
export interface MemoryCertificateOptions {
  /** Signs certificates: `createAuthority(Date.now())` of `workspace-sequencer/test`. */
  readonly authority: {
    /** Issues a certificate for these names, as PEM with its private key. */
    issue(names: readonly string[]): { readonly certificate: string; readonly key: string };
  };
  /** @default a new one */
  readonly server?: MemoryCertificateServer;
}

const member = 'memory-certificate';

/** Sets the outputs of a certificate that was issued. */
async function setOutputs(controller: ProviderController): Promise<void> {
  const name = secretNameOf(controller.workspace, controller.condition.type);
  const keyOf = (key: string) => ({ secretKeyRef: { name, key } });
  const { data = {} } = await controller.get(Secret, { name });
  const { validTo } = new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
  const notAfter = `${new Date(validTo).toISOString().slice(0, 19)}Z`;
  const secrets = { certificate: keyOf('tls.crt'), key: keyOf('tls.key') };
  await controller.setOutputs({ secretName: name, notAfter, ...secrets });
}

/**
 * Keeps a certificate for the names of the ingress rules of each workspace with a `spec.integrations['memory-certificate']`: in the Secret
 * `<workspace>-certificate`, under `tls.crt` and `tls.key`. Nothing proves the names.
 */
export function memoryCertificate(options: MemoryCertificateOptions): Integration {
  refuseUnknown('memoryCertificate', options, ['authority', 'server']);
  const { authority, server = createMemoryCertificateServer() } = options;
  checkMemoryStore('memoryCertificate', server);
  if (typeof authority?.issue !== 'function')
    throw new TypeError('memoryCertificate: authority must be an object with a function issue');
  const certificate = memoryResource({
    label: 'certificate',
    prefix: 'certificate-',
    store: server,
    isReplaced: true,
    secretFor(_, { names }) {
      const { certificate: chain, key } = authority.issue(names);
      return { 'tls.crt': chain, 'tls.key': key };
    },
  });
  return defineIntegration({
    name: member,
    endpoints: [],
    condition: 'Certificate',
    settings: z.strictObject({}),
    outputs: {
      secretName: { description: 'Name of the Secret with the certificate.' },
      notAfter: { description: 'End of the certificate’s validity, such as 2030-01-31T12:00:00Z.' },
      certificate: { description: 'Certificate with its chain, as PEM.', secret: true },
      key: { description: 'Private key, as PEM.', secret: true },
    },
    permissions: [secretsRule],
    handles: ({ spec }) => spec.integrations?.[member] !== undefined,
    connect: ({ workspace, controller }) => ({
      async reconcile() {
        const zone = withoutDot(workspace.spec.networking?.dns?.zone ?? '');
        const names = [...new Set(ingressRulesOf(workspace).map((rule) => nameOfRule(workspace, rule, zone)))];
        if (zone === '' || names.length === 0)
          return controller.updateCondition(
            'Error',
            'spec.networking must have dns.zone and ingress.rules: they name the certificate',
          );
        const result = await controller.ensure(certificate, { names });
        if (controller.condition.status === 'Completed') await setOutputs(controller);
        return result;
      },
      terminate: () => controller.destroy(certificate),
    }),
  });
}
