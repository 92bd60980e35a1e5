import { isIP } from 'node:net';
import { badPort, invalid } from './checks.ts';
import { named, type Rule } from './rules.ts';

/** A port's name: at most 15 letters, digits and hyphens, a letter among them. */
const portName = (name: string): readonly string[] => [
  ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
  ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
  ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
];

/** A port by its name. */
export const namedPort = named(portName);

/** A port by its number; 0 stands for none. */
export const portNumber: Rule = (value, path) => badPort(path, value ?? 0);

/** A port by its number or its name. */
export const portNumberOrName: Rule = (value, path) =>
  typeof value === 'string' ? namedPort(value, path) : portNumber(value, path);

/** The family of an address, 0 for what is none; as the server does, zeros before numbers are overlooked and zones are not. */
export const addressFamily = (text: string): number =>
  text.includes('%') ? 0 : isIP(/^[\d.]+$/.test(text) ? text.replace(/(^|\.)0+(?=\d)/g, '$1') : text);

/** An address of either family. */
export const ipAddress: Rule = function* (value, path) {
  if (addressFamily(String(value)) === 0) {
    yield invalid(path, value ?? '', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  }
};

/** A range of addresses. */
export const addressRange: Rule = function* (value, path) {
  const [ip = '', bits = '', ...more] = String(value).split('/');
  const most = isIP(ip) === 4 ? 32 : 128;
  const isRange = isIP(ip) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && more.length === 0;
  if (!isRange) yield invalid(path, value ?? '', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
};

/** Whether a range is of IPv6. */
export const isIpv6Range = (range: string): boolean => range.includes(':');
