/** Config of `sequencer run` and `sequencer dev`. */

import { acmeBox } from './acme-box.ts';
import { localAcmeBox } from './acme-box-stand-in.ts';

const { ACME_BOX_URL: url, ACME_BOX_TOKEN: token = '' } = process.env;

/** Integrations that the sequencer walks: with the stand-in until ACME_BOX_URL names a service. */
export const integrations = [
  url === undefined
    ? acmeBox({ url: 'https://acme-box.example', token: 'none-needed', fetch: localAcmeBox.fetch })
    : acmeBox({ url, token }),
];
