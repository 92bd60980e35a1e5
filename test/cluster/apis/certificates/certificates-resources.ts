/** Kinds of `certificates.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import { setOfPaths } from '../../managed-fields/field-set.ts';
import type { Strategy } from '../../server/strategy.ts';
import { signingRequestStrategy } from './csr-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const certificatesTable = `\
certificates.k8s.io/v1
  CertificateSigningRequest certificatesigningrequests -csr #95fRKMXA+00= unconditional statusMetadata ?spec.signerName
    /approval(CertificateSigningRequest:get,patch,update) /status`;

/** Strategies of the group, by collection. */
export const certificatesStrategies: Readonly<Record<string, Strategy>> = {
  'certificates.k8s.io/certificatesigningrequests': {
    ...signingRequestStrategy,
    validationPasses: { inStatus: 4 },
    resetFields: {
      object: setOfPaths([['f:spec'], ['f:status']]),
      status: setOfPaths([['f:spec'], ['f:status', 'f:conditions']]),
    },
  },
};
