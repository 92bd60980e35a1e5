/** CEL functions of IP addresses and networks. */

import {
  type Address,
  AddressError,
  addressIn,
  addressText,
  isMapped,
  maskedBytes,
  type Network,
  networkIn,
} from '../../apimachinery/formats/netip.ts';
import { libraryType } from '../typing/declarations.ts';
import { noOverload } from '../values/compare.ts';
import { CelError, Opaque, type Value } from '../values/values.ts';
import type { Implementation } from './operators.ts';

const ipType = libraryType('ip');
const cidrType = libraryType('cidr');

const ipOf = (address: Address): Opaque => new Opaque(ipType, address, addressText(address));
const cidrOf = (network: Network): Opaque =>
  new Opaque(cidrType, network, `${addressText(network.address)}/${network.bits}`);

/** Runs a parser; returns its result, or its error as a CelError. */
function read<T>(reader: () => T): T | CelError {
  try {
    return reader();
  } catch (error) {
    if (error instanceof AddressError) return new CelError(error.message);
    throw error;
  }
}

function addressOf(text: string): Address | CelError {
  const address = read(() => addressIn(text));
  const quoted = JSON.stringify(text);
  if (address instanceof CelError)
    return new CelError(`IP Address ${quoted} parse error during conversion from string: ${address.message}`);
  if (address.zone !== '') return new CelError(`IP address ${quoted} with zone value is not allowed`);
  return isMapped(address) ? new CelError(`IPv4-mapped IPv6 address ${quoted} is not allowed`) : address;
}

const what = 'network address parse error during conversion from string';

function networkOf(text: string): Network | CelError {
  const network = read(() => networkIn(text));
  if (network instanceof CelError) return new CelError(`${what}: ${network.message}`);
  return isMapped(network.address)
    ? new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
    : network;
}

const toIp: Implementation = (value) => {
  if (value instanceof Opaque && value.type === cidrType) return ipOf((value.content as Network).address);
  if (typeof value !== 'string') return noOverload;
  const address = addressOf(value);
  return address instanceof CelError ? address : ipOf(address);
};

const toCidr: Implementation = (value) => {
  if (typeof value !== 'string') return noOverload;
  const network = networkOf(value);
  return network instanceof CelError ? new CelError(`${what}: ${network.message}`) : cidrOf(network);
};

const isCanonical: Implementation = (value) => {
  if (typeof value !== 'string') return noOverload;
  const address = addressOf(value);
  return address instanceof CelError ? address : addressText(address) === value;
};

const ofIp =
  (run: (bytes: readonly number[]) => Value): Implementation =>
  (value) =>
    value instanceof Opaque && value.type === ipType ? run((value.content as Address).bytes) : noOverload;

const ofCidr =
  (run: (network: Network, other: Value) => Value): Implementation =>
  (value, other) =>
    value instanceof Opaque && value.type === cidrType ? run(value.content as Network, other ?? null) : noOverload;

function includesAddress({ address, bits }: Network, { bytes }: Address): boolean {
  if (bytes.length !== address.bytes.length) return false;
  const [own, others] = [maskedBytes(address.bytes, bits), maskedBytes(bytes, bits)];
  return own.every((byte, index) => byte === others[index]);
}

function containsIp(network: Network, other: Value): Value {
  const ip = typeof other === 'string' ? toIp(other) : other;
  if (ip instanceof CelError) return ip;
  return ip instanceof Opaque && ip.type === ipType ? includesAddress(network, ip.content as Address) : noOverload;
}

function containsCidr(network: Network, other: Value): Value {
  const cidr = typeof other === 'string' ? toCidr(other) : other;
  if (cidr instanceof CelError) return cidr;
  if (!(cidr instanceof Opaque) || cidr.type !== cidrType) return noOverload;
  const { address, bits } = cidr.content as Network;
  return network.bits <= bits && includesAddress(network, address);
}

const masked = ({ address, bits }: Network): Value =>
  cidrOf({ address: { ...address, bytes: maskedBytes(address.bytes, bits) }, bits });

const isUnspecified = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0);
const isFour = (bytes: readonly number[]): boolean => bytes.length === 4;

const isLoopback = (bytes: readonly number[]): boolean =>
  isFour(bytes) ? bytes[0] === 127 : isUnspecified(bytes.slice(0, 15)) && bytes[15] === 1;

const isMulticast = ([first = 0, ...rest]: readonly number[]): boolean =>
  rest.length === 3 ? (first & 0xf0) === 0xe0 : first === 0xff;

const isLocalMulticast = (bytes: readonly number[]): boolean =>
  isFour(bytes) ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0 : bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2;

const isLocalUnicast = (bytes: readonly number[]): boolean =>
  isFour(bytes) ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;

const isGlobalUnicast = (bytes: readonly number[]): boolean =>
  !(
    isUnspecified(bytes) ||
    isLoopback(bytes) ||
    isMulticast(bytes) ||
    isLocalUnicast(bytes) ||
    (isFour(bytes) && bytes.every((byte) => byte === 255))
  );

/** Functions of IP addresses and networks. */
export const netFunctions: Readonly<Record<string, Implementation>> = {
  ip: toIp,
  cidr: toCidr,
  isIP: (value) => (typeof value === 'string' ? !(addressOf(value) instanceof CelError) : noOverload),
  isCIDR: (value) => (typeof value === 'string' ? !(networkOf(value) instanceof CelError) : noOverload),
  'ip.isCanonical': isCanonical,
  family: ofIp((bytes) => (isFour(bytes) ? 4n : 6n)),
  isUnspecified: ofIp(isUnspecified),
  isLoopback: ofIp(isLoopback),
  isLinkLocalMulticast: ofIp(isLocalMulticast),
  isLinkLocalUnicast: ofIp(isLocalUnicast),
  isGlobalUnicast: ofIp(isGlobalUnicast),
  containsIP: ofCidr(containsIp),
  containsCIDR: ofCidr(containsCidr),
  prefixLength: ofCidr(({ bits }) => BigInt(bits)),
  masked: ofCidr(masked),
};
