/** Validates the names of objects. */

import type { FieldError } from './field-error.ts';
import { addressProblems } from './formats/canonical-ip.ts';
import { type Fields, isFields } from './object.ts';

/** Validates a name; returns the server's messages. */
export type NameCheck = (name: string) => readonly string[];

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const labelPattern = whole(label);
const subdomainPattern = whole(subdomain);
const label1035Pattern = whole(label1035);

const tooLong = (name: string, most: number): string[] =>
  name.length > most ? [`must be no more than ${most} characters`] : [];

/** Validates a lowercase RFC 1123 subdomain, the form of most names. */
export const isSubdomain: NameCheck = (name) => [
  ...tooLong(name, 253),
  ...(subdomainPattern.test(name)
    ? []
    : [
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`,
      ]),
];

const loose = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const looseSubdomain = `${loose}(\\.${loose})*`;
const looseSubdomainPattern = whole(looseSubdomain);

/** Validates a subdomain that may contain underscores, such as a DNS search domain. */
export const isSubdomainWithUnderscores: NameCheck = (name) => [
  ...tooLong(name, 253),
  ...(looseSubdomainPattern.test(name)
    ? []
    : [
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${looseSubdomain}')`,
      ]),
];

const wildcardPattern = whole(`\\*\\.${subdomain}`);

/** Validates a subdomain with a `*.` prefix. */
export const isWildcard: NameCheck = (name) => [
  ...tooLong(name, 253),
  ...(wildcardPattern.test(name)
    ? []
    : [
        `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${subdomain}')`,
      ]),
];

/** Validates a lowercase RFC 1123 label. */
export const isLabel: NameCheck = (name) => {
  const long = tooLong(name, 63);
  if (labelPattern.test(name)) return long;
  if (subdomainPattern.test(name)) return [...long, 'must not contain dots'];
  return [
    ...long,
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
  ];
};

/** Validates an RFC 1035 label, which starts with a letter. */
export const isLabel1035: NameCheck = (name) => [
  ...tooLong(name, 63),
  ...(label1035Pattern.test(name)
    ? []
    : [
        `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${label1035}')`,
      ]),
];

const namePart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const namePartPattern = whole(namePart);

/** Validates a qualified name such as a label key: a name with an optional domain prefix. */
export const isQualifiedName: NameCheck = (text) => {
  const parts = text.split('/');
  const pattern = `regex used for validation is '${namePart}'`;
  const wanted = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', ${pattern})`;
  if (parts.length > 2) {
    return [`a qualified name ${wanted} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1)!;
  const prefix = parts.length === 2 ? parts[0]! : undefined;
  return [
    ...(prefix === '' ? ['prefix part must be non-empty'] : []),
    ...(prefix ? isSubdomain(prefix).map((detail) => `prefix part ${detail}`) : []),
    ...(name === '' ? ['name part must be non-empty'] : tooLong(name, 63).map((detail) => `name part ${detail}`)),
    ...(namePartPattern.test(name) ? [] : [`name part ${wanted}`]),
  ];
};

/** Validates a segment of a path. */
export const isPathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`);
};

/** Validates an IP address in canonical form. */
export const isAddress: NameCheck = (name) => addressProblems(name);

/** Validates the name or generateName of an object. */
export function* nameErrors(object: Fields, check: NameCheck = isSubdomain): Generator<FieldError> {
  const metadata = isFields(object.metadata) ? object.metadata : {};
  const { name, generateName } = metadata as { name?: string; generateName?: string };
  if (generateName) {
    for (const detail of check(generateName.replace(/^(.*).-$/, '$1a'))) {
      yield { type: 'Invalid', field: 'metadata.generateName', value: generateName, detail };
    }
  }
  if (!name) {
    yield { type: 'Required', field: 'metadata.name', detail: 'name or generateName is required' };
    return;
  }
  for (const detail of check(name)) yield { type: 'Invalid', field: 'metadata.name', value: name, detail };
}
