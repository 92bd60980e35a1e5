/** Makes certificate requests for tests. */

import { generateKeyPairSync, sign } from 'node:crypto';
import { bits, der, extension, integer, oid, sequence, tags } from './der.ts';

/** Content of a certificate request. */
export interface Wanted {
  readonly name?: string;
  readonly groups?: readonly string[];
  /** DNS names. */
  readonly hosts?: readonly string[];
  readonly emails?: readonly string[];
}

/** PKCS #10 request and its key, both in PEM. */
export interface MadeRequest {
  readonly request: string;
  readonly key: string;
}

const part = (id: string, text: string): Buffer => der(tags.set, sequence(oid(id), der(tags.utf8, Buffer.from(text))));

/** Makes a certificate request, as `openssl req -new` does. */
export function aCertificateRequest({ name, groups = [], hosts = [], emails = [] }: Wanted): MadeRequest {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = [...groups.map((group) => part('2.5.4.10', group)), ...(name ? [part('2.5.4.3', name)] : [])];
  const names = [
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    ...emails.map((email) => der(0x81, Buffer.from(email))),
  ];
  const extensions = sequence(extension('2.5.29.17', sequence(...names)));
  const attributes = names.length === 0 ? [] : [sequence(oid('1.2.840.113549.1.9.14'), der(tags.set, extensions))];
  const info = sequence(
    integer(Buffer.from([0])),
    sequence(...subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa0, ...attributes),
  );
  const whole = sequence(info, sequence(oid('1.2.840.10045.4.3.2')), bits(sign('sha256', info, privateKey)));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return {
    request: `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
