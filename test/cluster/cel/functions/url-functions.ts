/** CEL library of URLs, as Kubernetes' `url` and `isURL`. */

import { partsOf, requestUrlFault, type UrlParts } from '../../apimachinery/go/go-url.ts';
import { libraryType } from '../typing/declarations.ts';
import { noOverload } from '../values/compare.ts';
import { readText } from '../values/uncosted-work.ts';
import { CelError, List, mapOfEntries, Opaque, type Value } from '../values/values.ts';
import type { Implementation } from './operators.ts';

const toUrl: Implementation = (value) => {
  if (typeof value !== 'string') return noOverload;
  const fault = requestUrlFault(value);
  if (fault !== undefined) return new CelError(`URL parse error during conversion from string: ${fault}`);
  const [text = ''] = value.split('#', 1);
  return new Opaque(libraryType('url'), partsOf(text, false), value);
};

const ofUrl =
  (run: (parts: UrlParts) => Value): Implementation =>
  (value) =>
    value instanceof Opaque && value.type.name === 'kubernetes.URL' ? run(value.content as UrlParts) : noOverload;

function hostname(host: string): string {
  readText(host.length);
  return host.startsWith('[') ? host.slice(1, host.lastIndexOf(']')) : host.replace(/:\d*$/, '');
}

function portOf(host: string): string {
  readText(host.length);
  return /:(\d*)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? '';
}

function escapedPath(path: string): string {
  readText(path.length);
  return path.replaceAll(/[^A-Za-z\d\-_.~!$&'()*+,;=:@[\]/%]/gu, (one) => encodeURIComponent(one));
}

function queryOf(query: string): Value {
  readText(query.length);
  const all = new Map<string, string[]>();
  // One at a time: URLSearchParams takes time quadratic in the number of parameters.
  for (const [name, value] of query.split('&').flatMap((one) => [...new URLSearchParams(one)])) {
    const known = all.get(name);
    if (known === undefined) all.set(name, [value]);
    else known.push(value);
  }
  return mapOfEntries([...all].map(([name, values]) => [name, new List(values)] as const));
}

/** Functions of URLs. */
export const urlFunctions: Readonly<Record<string, Implementation>> = {
  url: toUrl,
  isURL: (value) => (typeof value === 'string' ? requestUrlFault(value) === undefined : noOverload),
  getScheme: ofUrl(({ scheme }) => scheme),
  getHost: ofUrl(({ host }) => host),
  getHostname: ofUrl(({ host }) => hostname(host)),
  getPort: ofUrl(({ host }) => portOf(host)),
  getEscapedPath: ofUrl(({ path }) => escapedPath(path)),
  getQuery: ofUrl(({ query }) => queryOf(query)),
};
