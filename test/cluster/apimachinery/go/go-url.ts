/** Parses URLs as Go does. */

import { AddressError, addressIn } from '../formats/netip.ts';

/** Parts of a URL, as in Go. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

class UrlError extends Error {}

const fail = (why: string): never => {
  throw new UrlError(why);
};

/** Splits a URL into its lower-case scheme and the rest. */
function schemeOf(text: string): readonly [string, string] {
  if (text.startsWith(':')) fail('missing protocol scheme');
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):(.*)$/is.exec(text) ?? [];
  return scheme === undefined ? ['', text] : [scheme.toLowerCase(), rest!];
}

const badEscape = (text: string): string | undefined => /%(?![\da-f]{2})[\s\S]{0,2}/i.exec(text)?.[0];

function checkEscapes(text: string): void {
  const bad = badEscape(text);
  if (bad !== undefined) fail(`invalid URL escape ${JSON.stringify(bad)}`);
}

function checkPort(rest: string): void {
  if (!/^(?::\d*)?$/.test(rest)) fail(`invalid port ${JSON.stringify(rest)} after host`);
}

function checkBracketed(host: string): void {
  const close = host.lastIndexOf(']');
  if (close === -1) fail("missing ']' in host");
  checkPort(host.slice(close + 1));
  try {
    if (addressIn(host.slice(1, close)).bytes.length === 4) fail('invalid IP-literal');
  } catch (error) {
    if (error instanceof AddressError) fail(`invalid host: ${error.message}`);
    throw error;
  }
}

function hostOf(scheme: string, authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const open = host.lastIndexOf('[');
  if (open > 0) fail('invalid IP-literal');
  if (open === 0) {
    checkBracketed(host);
    return host;
  }
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon !== -1) checkPort(host.slice(colon));
  const [bad] = /[ "<>\\^`{|}]/.exec(host) ?? [];
  if (bad !== undefined) fail(`invalid character ${JSON.stringify(bad)} in host name`);
  checkEscapes(host);
  return host;
}

/** Validates what follows the scheme, if any, and does not begin with a slash. */
function checkWithoutSlash(scheme: string, rest: string, isRequest: boolean): void {
  if (scheme !== '') return;
  if (isRequest) fail('invalid URI for request');
  if (/^[^/]*:/.test(rest)) fail('first path segment in URL cannot contain colon');
}

/** Reports whether what follows the scheme begins with a host, as in `//host/path`. */
const hasAuthority = (scheme: string, rest: string, isRequest: boolean): boolean =>
  rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));

/** Parses a URL as Go's `url.Parse`; with `isRequest` it must be absolute. Throws a UrlError. */
export function partsOf(text: string, isRequest: boolean): UrlParts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\0-\x1f\x7f]/.test(text)) fail('net/url: invalid control character in URL');
  if (text === '' && isRequest) fail('empty url');
  const [scheme, after] = schemeOf(text);
  const [rest = '', query = ''] = after.split(/\?(.*)/s);
  if (!rest.startsWith('/')) {
    checkWithoutSlash(scheme, rest, isRequest);
    return { scheme, host: '', path: scheme === '' ? rest : '', query };
  }
  if (!hasAuthority(scheme, rest, isRequest)) {
    checkEscapes(rest);
    return { scheme, host: '', path: rest, query };
  }
  const [, authority = '', path = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest)!;
  const host = hostOf(scheme, authority);
  checkEscapes(path);
  return { scheme, host, path, query };
}

/** Returns Go's error for a request URL; undefined for a valid one. */
export function requestUrlFault(text: string): string | undefined {
  try {
    partsOf(text, true);
    return undefined;
  } catch (error) {
    if (error instanceof UrlError) return `parse ${JSON.stringify(text)}: ${error.message}`;
    throw error;
  }
}
