import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

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

/** A public key of P-256 (RFC 5480). By its coordinates, since OpenSSL takes a millisecond to find its own encoder. */
function publicKeyInfo(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return sequence(p256, bits(Buffer.concat(point)));
}

interface Request {
  readonly subject: string;
  readonly organizations?: readonly string[];
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly now: number;
}

const day = 24 * 60 * 60 * 1000;
const authorityName = 'in-memory-cluster';

/** A certificate that lacks its signature. */
function unsigned({ subject, organizations, publicKey, extensions, now }: Request): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    nameOf(authorityName),
    sequence(utcTime(new Date(now - day)), utcTime(new Date(now + 3650 * day))),
    nameOf(subject, organizations),
    publicKeyInfo(publicKey),
    der(0xa3, sequence(...extensions)),
  );
}

function signed(body: Buffer, signature: Uint8Array): string {
  const lines = sequence(body, ecdsaWithSha256, bits(signature))
    .toString('base64')
    .match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const p256Keys = { namedCurve: 'P-256' };

/** Makes an authority whose certificates are valid ten years from `now` (ms). */
export function createAuthority(now: number): Authority {
  const own = generateKeyPairSync('ec', p256Keys);
  const certified = (request: Omit<Request, 'now'>): string => {
    const body = unsigned({ ...request, now });
    return signed(body, sign('sha256', body, own.privateKey));
  };
  const identified = (request: Pick<Request, 'subject' | 'organizations' | 'extensions'>): Identity => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', p256Keys);
    return {
      certificate: certified({ ...request, publicKey }),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    };
  };
  return {
    certificate: certified({ subject: authorityName, publicKey: own.publicKey, extensions: authorityExtensions() }),
    issue: (hosts) => identified({ subject: 'kube-apiserver', extensions: serverExtensions(hosts) }),
    issueFor: ({ name, groups }) =>
      identified({ subject: name, organizations: groups, extensions: clientExtensions() }),
  };
}
