import { isIP, isIPv4, isIPv6 } from 'node:net';
import { canonicalTime } from '../kinds/go-time.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const uuid = (version: string): Check =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));

const isDate: Check = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && canonicalTime(`${text}T00:00:00Z`) !== undefined;

const isCidr: Check = (text) => {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits) <= (isIPv4(address) ? 32 : 128);
};

const isUri: Check = (text) => /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(text) && !/[\s\p{Cc}]/u.test(text);

/** Durations as Go's `time.ParseDuration` reads them, or with days and weeks. */
const isDuration: Check = (text) =>
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/.test(
    text,
  ) ||
  /^[+-]?0$/.test(text) ||
  /^\d+\s*(?:ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i.test(
    text,
  );

const isBase64: Check = (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isTime: Check = (text) =>
  canonicalTime(text.replace(/^(\d{4}-\d\d-\d\d)[ t]/, '$1T').replace(/z$/, 'Z')) !== undefined;

const colorPart = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';

const checks: Record<string, Check> = {
  date: isDate,
  'date-time': isTime,
  datetime: isTime,
  duration: isDuration,
  email: matches(/^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/),
  // As odd as go-openapi has it: one short label, or several that end with letters.
  hostname: matches(
    /^(?=.{1,255}$)(?:[a-z\d](?:-?[a-z\d]{0,62})?|(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63})$/i,
  ),
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: matches(
    /^(?:[\da-f]{2}([:-]))(?:[\da-f]{2}\1){4}[\da-f]{2}(?:\1[\da-f]{2}\1[\da-f]{2})?$|^(?:[\da-f]{4}\.){2}[\da-f]{4}$/i,
  ),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
  uri: isUri,
  byte: isBase64,
  bsonobjectid: matches(/^[\da-f]{24}$/i),
  isbn: matches(/^(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]$/),
  isbn10: matches(/^(?:\d[- ]?){9}[\dX]$/),
  isbn13: matches(/^97[89][- ]?(?:\d[- ]?){9}\d$/),
  creditcard: matches(/^(?:\d[ -]?){13,19}$/),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?(?:[\da-f]{3}|[\da-f]{6})$/i),
  rgbcolor: matches(new RegExp(`^rgb\\(\\s*(?:${colorPart}\\s*,\\s*){2}${colorPart}\\s*\\)$`)),
};

/** Whether a text is of a format; formats that the server does not know or check are never violated. */
export const hasFormat = (format: string, text: string): boolean => checks[format]?.(text) ?? true;

const unchecked = ['binary', 'double', 'float', 'int32', 'int64', 'password', 'k8s-short-name', 'k8s-long-name'];

/** Whether the server knows a format, be it that it checks nothing. */
export const isKnownFormat = (format: string): boolean => format in checks || unchecked.includes(format);
