import { createECDH, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate with its key, in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** Signs certificates that clients who trust its own will trust. */
export interface Authority {
  /** Its own certificate, in PEM. */
  readonly certificate: string;
  /** Makes a server's certificate for names and IPv4 addresses. */
  issue(hosts: readonly string[]): Identity;
  /** Makes a client's certificate: the user is its common name, groups are its organizations. */
  issueFor(user: { readonly name: string; readonly groups: readonly string[] }): Identity;
}

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
};

/** One DER value: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tags.sequence, ...parts);
const integer = (bytes: Uint8Array): Buffer => der(tags.integer, bytes);
const bits = (bytes: Uint8Array): Buffer => der(tags.bits, Buffer.from([0]), bytes);

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(tags.oid, Buffer.from(bytes));
}

const utcTime = (date: Date): Buffer =>
  der(tags.utcTime, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const part = (id: string, text: string): Buffer => der(tags.set, sequence(oid(id), der(tags.utf8, Buffer.from(text))));

const nameOf = (commonName: string, organizations: readonly string[] = []): Buffer =>
  sequence(...organizations.map((one) => part('2.5.4.10', one)), part('2.5.4.3', commonName));

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const p256 = sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7'));
const critical = der(tags.boolean, Buffer.from([0xff]));

const extension = (id: string, value: Uint8Array, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [critical] : []), der(tags.octets, value));

const alternativeName = (host: string): Buffer =>
  /^\d+(\.\d+){3}$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

const authorityExtensions = (): Buffer[] => [
  extension('2.5.29.19', sequence(critical), true),
  extension('2.5.29.15', der(tags.bits, Buffer.from([0x01, 0x06])), true),
];

const serverExtensions = (hosts: readonly string[]): Buffer[] => [
  extension('2.5.29.15', der(tags.bits, Buffer.from([0x07, 0x80])), true),
  extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
  extension('2.5.29.17', sequence(...hosts.map(alternativeName))),
];

const clientExtensions = (): Buffer[] => [
  extension('2.5.29.15', der(tags.bits, Buffer.from([0x07, 0x80])), true),
  extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.2'))),
];

/** A key of P-256: the point (SEC 1, uncompressed) and the secret number. */
interface KeyPair {
  readonly point: Buffer;
  readonly secret: Buffer;
}

const coordinate = 32;

/** By ECDH and written by hand, since OpenSSL takes milliseconds to find its own encoders. */
function createKeyPair(): KeyPair {
  const pair = createECDH('prime256v1');
  const point = pair.generateKeys();
  const secret = pair.getPrivateKey();
  return { point, secret: Buffer.concat([Buffer.alloc(coordinate - secret.length), secret]) };
}

/** What `node:crypto` signs with. */
function signingKeyOf({ point, secret }: KeyPair): KeyObject {
  const [x, y, d] = [point.subarray(1, 1 + coordinate), point.subarray(1 + coordinate), secret].map((bytes) =>
    bytes.toString('base64url'),
  );
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d } });
}

/** RFC 5480. */
const publicKeyInfo = ({ point }: KeyPair): Buffer => sequence(p256, bits(point));

/** PKCS #8 with the key of RFC 5915 in it. */
function privateKeyInfo({ point, secret }: KeyPair): Buffer {
  const key = sequence(integer(Buffer.from([1])), der(tags.octets, secret), der(0xa1, bits(point)));
  return sequence(integer(Buffer.from([0])), p256, der(tags.octets, key));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

interface Request {
  readonly subject: string;
  readonly organizations?: readonly string[];
  readonly keys: KeyPair;
  readonly extensions: readonly Buffer[];
  readonly now: number;
}

const day = 24 * 60 * 60 * 1000;
const authorityName = 'in-memory-cluster';

/** A certificate that lacks its signature. */
function unsigned({ subject, organizations, keys, extensions, now }: Request): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    nameOf(authorityName),
    sequence(utcTime(new Date(now - day)), utcTime(new Date(now + 3650 * day))),
    nameOf(subject, organizations),
    publicKeyInfo(keys),
    der(0xa3, sequence(...extensions)),
  );
}

/** Makes an authority whose certificates are valid ten years from `now` (ms). */
export function createAuthority(now: number): Authority {
  const own = createKeyPair();
  const key = signingKeyOf(own);
  const certified = (request: Omit<Request, 'now'>): string => {
    const body = unsigned({ ...request, now });
    return pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bits(sign('sha256', body, key))));
  };
  const identified = (request: Pick<Request, 'subject' | 'organizations' | 'extensions'>): Identity => {
    const keys = createKeyPair();
    return { certificate: certified({ ...request, keys }), key: pem('PRIVATE KEY', privateKeyInfo(keys)) };
  };
  return {
    certificate: certified({ subject: authorityName, keys: own, extensions: authorityExtensions() }),
    issue: (hosts) => identified({ subject: 'kube-apiserver', extensions: serverExtensions(hosts) }),
    issueFor: ({ name, groups }) =>
      identified({ subject: name, organizations: groups, extensions: clientExtensions() }),
  };
}
