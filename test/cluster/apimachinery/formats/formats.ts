/** Formats of texts, as go-openapi checks them. */

import { isIP } from 'node:net';
import { parseGoDuration } from '../go/go-duration.ts';
import { canonicalTime } from '../go/go-time.ts';
import { requestUrlFault } from '../go/go-url.ts';
import { addressFamily } from './canonical-ip.ts';
import { isMailAddress } from './email.ts';
import { hasAmountOfTime, isCreditCard, isIsbn10, isIsbn13 } from './number-formats.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const uuid = (third: string, fourth: string): Check =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i'));
const anyGroup = '[0-9a-f]{4}';
const variant = '[89ab][0-9a-f]{3}';

const isDate: Check = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && canonicalTime(`${text}T00:00:00Z`) !== undefined;

const isTime: Check = (text) => {
  const [day = '', time = ''] = text.toLowerCase().split('t');
  const [, hours = '', minutes = '', seconds = ''] =
    /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return isDate(day) && hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
};

const isCidr: Check = (text) => {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const family = addressFamily(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
};

/** Matches MAC addresses of 6, 8 or 20 bytes, as Go's `net.ParseMAC`. */
const isMac: Check = (text) => {
  const bytes = /^[\da-f]{2}(?:([:-])[\da-f]{2}(?:\1[\da-f]{2})*)$|^(?:[\da-f]{4}\.)+[\da-f]{4}$/i.test(text)
    ? text.replace(/[:.-]/g, '').length / 2
    : 0;
  return [6, 8, 20].includes(bytes);
};

/** Matches host names as go-openapi does: one short label, or several that end with letters. */
const isHostname: Check = (text) =>
  /^(?:[a-z\d\p{S}\p{L}](?:-?[a-z\d\p{S}\p{L}]{0,62})?|(?:[a-z\d\p{S}\p{L}](?:[a-z\d\p{S}\p{L}-]{0,61}[a-z\d\p{S}\p{L}])?\.)+[a-z\p{L}]{2,63})$/iu.test(
    text,
  ) &&
  Buffer.byteLength(text) <= 255 &&
  text.split('.').every((label) => Buffer.byteLength(label) <= 63);

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const colorPart = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';

/** Checks by name without dashes, which are ignored. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['date', isDate],
  ['datetime', isTime],
  ['duration', (text) => typeof parseGoDuration(text) === 'number' || hasAmountOfTime(text)],
  ['email', isMailAddress],
  ['hostname', isHostname],
  ['ipv4', (text) => addressFamily(text) !== 0 && text.includes('.')],
  ['ipv6', (text) => isIP(text) === 6 && !text.includes('%')],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', uuid(anyGroup, anyGroup)],
  ['uuid3', uuid('3[0-9a-f]{3}', anyGroup)],
  ['uuid4', uuid('4[0-9a-f]{3}', variant)],
  ['uuid5', uuid('5[0-9a-f]{3}', variant)],
  ['uri', (text) => requestUrlFault(text) === undefined],
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['bsonobjectid', matches(/^[\da-f]{24}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ['hexcolor', matches(/^#?(?:[\da-f]{3}|[\da-f]{6})$/i)],
  ['rgbcolor', matches(new RegExp(`^rgb\\(\\s*(?:${colorPart}\\s*,\\s*){2}${colorPart}\\s*\\)$`))],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${label}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(text)],
  ['password', () => true],
]);

const checkOf = (format: string): Check | undefined => checks.get(format.replaceAll('-', ''));

/** Reports whether a text matches a format; unknown formats accept any text. */
export const hasFormat = (format: string, text: string): boolean => checkOf(format)?.(text) ?? true;

/** Reports whether the server knows a format, even one without a check. */
export const isKnownFormat = (format: string): boolean => checkOf(format) !== undefined;
