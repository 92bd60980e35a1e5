/** Checks the options of integrations. */

import { isJsonObject, refuseUnknown } from '../sdk/index.ts';
import { quoted } from './quoted-text.ts';

/** Form of a text. */
export interface TextForm {
  readonly pattern: RegExp;
  /** The form in words: `a login without spaces`. */
  readonly expected: string;
  /** Keeps the value out of the error. @default false */
  readonly isSecret?: boolean;
}

/** Checks of one integration; each throws a TypeError with the option, the expected and the actual value. */
export interface OptionChecks {
  /** Throws: the option must be as expected. The actual value is shown if it is given, so never pass a secret. */
  refuse(option: string, expected: string, found?: unknown): never;
  /** Checks that a value is an object without unknown members. */
  members(option: string, value: unknown, known: readonly string[]): void;
  /** Checks that a value is an object with these functions. */
  functions(option: string, value: unknown, names: readonly string[]): void;
  /** Checks a text by its form. */
  text(option: string, value: unknown, form: TextForm): string;
  /** Checks a whole number in a range. */
  wholeNumber(option: string, value: unknown, range: { readonly min: number; readonly max: number }): number;
  /** Checks the base address of an HTTP API, and returns it without trailing slashes. */
  baseUrl(option: string, value: unknown): string;
  /** Checks a key or token that goes into a header: 6 to 4096 printable ASCII characters. It is never shown. */
  headerSecret(option: string, value: unknown): string;
}

const headerSecretForm: TextForm = {
  pattern: /^[\x21-\x7e]{6,4096}$/,
  expected: 'a text of 6 to 4096 printable ASCII characters without spaces',
  isSecret: true,
};

const parsedUrl = (value: unknown): URL | undefined =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;

const baseUrlForm = 'an address https://HOST or http://HOST, without credentials, query and fragment';

/** Describes what keeps a value from being a base address, without showing it: it may hold a secret. */
function mistakeInBaseUrl(value: unknown, url: URL | undefined): string | undefined {
  if (typeof value !== 'string') return value === undefined ? 'nothing' : `a value of type ${typeof value}`;
  if (url === undefined) return `a text of ${value.length} characters that is not an address`;
  if (!/^https?:$/.test(url.protocol)) return 'another scheme';
  if (`${url.username}${url.password}` !== '') return 'credentials';
  if (url.search !== '') return 'a query';
  return url.hash === '' ? undefined : 'a fragment';
}

/** Shows a value in an error, whatever it is, in bounded length. */
function shown(value: unknown): string {
  try {
    return quoted(value);
  } catch {
    return `a value of type ${typeof value}`; // a BigInt, or a circle
  }
}

/** Creates the checks of an integration. */
export function optionChecks(integration: string): OptionChecks {
  const refuse = (option: string, expected: string, found?: unknown): never => {
    const suffix = found === undefined ? '' : `, not ${shown(found)}`;
    throw new TypeError(`${integration}: ${option} must be ${expected}${suffix}`);
  };
  const text = (option: string, value: unknown, { pattern, expected, isSecret = false }: TextForm): string => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    return refuse(option, expected, isSecret ? undefined : (value ?? 'nothing'));
  };
  return {
    refuse,
    members(option, value, known) {
      if (typeof value !== 'object' || value === null)
        return refuse(
          option,
          `an object { ${known.join(', ')} }`,
          typeof value === 'string' ? `a text of ${value.length} characters` : (value ?? 'nothing'), // such as an address with a password
        );
      refuseUnknown(`${integration}: ${option}`, value, known);
    },
    functions(option, value, names) {
      const missing = names.find((name) => !isJsonObject(value) || typeof value[name] !== 'function');
      if (missing !== undefined) return refuse(option, `an object with the functions ${names.join(', ')}`);
    },
    text,
    wholeNumber(option, value, { min, max }) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
        return refuse(option, `a whole number from ${min} to ${max}`, value);
      return value;
    },
    baseUrl(option, value) {
      const url = parsedUrl(value);
      const mistake = mistakeInBaseUrl(value, url);
      if (url === undefined || mistake !== undefined) return refuse(option, `${baseUrlForm}; found ${mistake}`);
      return url.href.replace(/\/+$/, '');
    },
    headerSecret: (option, value) => text(option, value, headerSecretForm),
  };
}
