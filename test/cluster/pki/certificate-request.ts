/** Parses PKCS #10 certificate requests. */

import { createPublicKey, verify } from 'node:crypto';
import { oid, readValues, tags, type Value } from './der.ts';

/** Parsed PKCS #10 request. */
export interface CertificateRequest {
  /** Name in DER. */
  readonly subject: Buffer;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** GeneralNames of the subject alternative names in DER; undefined without any. */
  readonly alternativeNames: Buffer | undefined;
  /** Number of alternative names of each kind. */
  readonly names: Readonly<Record<'dns' | 'email' | 'ip' | 'uri', number>>;
  /** Reports whether the request is signed with its own key. */
  isSigned(): boolean;
}

const is = (value: Value | undefined, dotted: string): boolean => value?.whole.equals(oid(dotted)) ?? false;

/** Returns the values of one attribute of a Name. */
function textsOf(subject: Value, dotted: string): readonly string[] {
  const attributes = readValues(subject.content).flatMap(({ content }) => readValues(content));
  return attributes.flatMap(({ content }) => {
    const [type, text] = readValues(content);
    return is(type, dotted) && text !== undefined ? [text.content.toString()] : [];
  });
}

const extensionRequest = '1.2.840.113549.1.9.14';
const subjectAlternativeName = '2.5.29.17';

function alternativeNamesIn(attributes: Value | undefined): Buffer | undefined {
  for (const attribute of attributes === undefined ? [] : readValues(attributes.content)) {
    const [type, values] = readValues(attribute.content);
    if (!is(type, extensionRequest) || values === undefined) continue;
    const extensions = readValues(values.content).flatMap(({ content }) => readValues(content));
    for (const { content } of extensions) {
      const parts = readValues(content);
      if (is(parts[0], subjectAlternativeName)) return parts[parts.length - 1]!.content;
    }
  }
  return undefined;
}

const kinds = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

function countsIn(alternativeNames: Buffer | undefined): CertificateRequest['names'] {
  const [list] = alternativeNames === undefined ? [] : readValues(alternativeNames);
  const names = list === undefined ? [] : readValues(list.content);
  const count = (tag: number): number => names.filter((name) => name.tag === tag).length;
  return { dns: count(kinds.dns), email: count(kinds.email), ip: count(kinds.ip), uri: count(kinds.uri) };
}

const hashes: Readonly<Record<string, string | null>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
};

const bodyOf = (text: string): string | undefined =>
  /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/.exec(text)?.[1];

/** Returns Go's error for an invalid PEM request; undefined for a valid one. */
export function requestFault(text: string): string | undefined {
  const body = bodyOf(text);
  if (body === undefined) return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    const values = readValues(Buffer.from(body, 'base64'));
    if (values.length > 1) return 'asn1: syntax error: trailing data';
    return requestIn(text) === undefined ? 'asn1: structure error: sequence tag mismatch' : undefined;
  } catch (error) {
    return `asn1: syntax error: ${(error as Error).message}`;
  }
}

/** Parses a PEM request; undefined when it is invalid. */
export function requestIn(text: string): CertificateRequest | undefined {
  try {
    const [whole] = readValues(Buffer.from(bodyOf(text) ?? '', 'base64'));
    const [info, algorithm, signature] = readValues(whole!.content);
    const [, subject, key, attributes] = readValues(info!.content);
    if (subject?.tag !== tags.sequence || key === undefined || signature === undefined) return undefined;
    const alternativeNames = alternativeNamesIn(attributes);
    const hash = Object.entries(hashes).find(([dotted]) => is(readValues(algorithm!.content)[0], dotted))?.[1];
    return {
      subject: subject.whole,
      commonName: textsOf(subject, '2.5.4.3')[0] ?? '',
      organizations: textsOf(subject, '2.5.4.10'),
      publicKey: key.whole,
      alternativeNames,
      names: countsIn(alternativeNames),
      isSigned() {
        if (hash === undefined) return false;
        const publicKey = createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
        return verify(hash, info!.whole, publicKey, signature.content.subarray(1));
      },
    };
  } catch {
    return undefined;
  }
}
