/** CEL functions of named formats. */

import { hasFormat } from '../../apimachinery/formats/formats.ts';
import { requestUrlFault } from '../../apimachinery/go/go-url.ts';
import {
  isLabel,
  isLabel1035,
  isQualifiedName,
  isSubdomain,
  type NameCheck,
} from '../../apimachinery/name-validation.ts';
import { libraryType } from '../typing/declarations.ts';
import { noOverload } from '../values/compare.ts';
import { List, Opaque, Optional, type Value } from '../values/values.ts';
import { formatNames } from './library-functions.ts';
import type { Implementation } from './operators.ts';

/** Returns the check of a name's prefix, which may end with a dash. */
const asPrefix =
  (check: NameCheck): NameCheck =>
  (name) =>
    check(name.endsWith('-') && name.length > 1 ? `${name.slice(0, -1)}a` : name);

const known =
  (format: string, fault: string): NameCheck =>
  (text) =>
    hasFormat(format, text) ? [] : [fault];

const labelValuePattern = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
const labelValueHint = "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is";

const isLabelValue: NameCheck = (text) => [
  ...(text.length > 63 ? ['must be no more than 63 bytes'] : []),
  ...(new RegExp(`^${labelValuePattern}$`).test(text)
    ? []
    : [
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ${labelValueHint} '${labelValuePattern}')`,
      ]),
];

const isUri: NameCheck = (text) => {
  const fault = requestUrlFault(text);
  return fault === undefined ? [] : [fault];
};

interface Format {
  /** Length of its regular expression, for the cost. */
  readonly length: number;
  readonly check: NameCheck;
}

const dateTimeLength = 86;

const formats: Readonly<Record<string, Format>> = {
  dns1123Label: { length: 30, check: isLabel },
  dns1123Subdomain: { length: 60, check: isSubdomain },
  dns1035Label: { length: 30, check: isLabel1035 },
  qualifiedName: { length: 60, check: isQualifiedName },
  dns1123LabelPrefix: { length: 30, check: asPrefix(isLabel) },
  dns1123SubdomainPrefix: { length: 60, check: asPrefix(isSubdomain) },
  dns1035LabelPrefix: { length: 30, check: asPrefix(isLabel1035) },
  labelValue: { length: 40, check: isLabelValue },
  uri: { length: 1000, check: isUri },
  uuid: { length: 76, check: known('uuid', 'does not match the UUID format') },
  byte: { length: 84, check: known('byte', 'invalid base64') },
  date: { length: dateTimeLength, check: known('date', 'invalid date') },
  datetime: { length: dateTimeLength, check: known('datetime', 'invalid datetime') },
};

const formatOf = (name: string): Opaque => new Opaque(libraryType('format'), formats[name]!, name);

/** Returns the format in an opaque value; undefined for other values. */
export const formatIn = (value: Value | undefined): Format | undefined =>
  value instanceof Opaque && value.type.name === 'kubernetes.NamedFormat' ? (value.content as Format) : undefined;

const validate: Implementation = (value, text) => {
  const format = formatIn(value);
  if (format === undefined || typeof text !== 'string') return noOverload;
  const faults = format.check(text);
  return new Optional(faults.length === 0 ? undefined : new List(faults));
};

/** Functions of named formats. */
export const formatFunctions: Readonly<Record<string, Implementation>> = {
  validate,
  'format.named': (name) => {
    if (typeof name !== 'string') return noOverload;
    return new Optional(formatNames.includes(name) ? formatOf(name) : undefined);
  },
  ...Object.fromEntries(formatNames.map((name) => [`format.${name}`, () => formatOf(name)])),
};
