/** Decodes reviews and checks their kind as Go's codec does. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { syntaxFaultOf } from '../apimachinery/go/go-json-syntax.ts';
import type { Fields } from '../apimachinery/object.ts';
import { readYaml } from '../encoding/yaml.ts';

/** Parses JSON or YAML as Go does. Throws an Error in the server's words for invalid JSON. */
export function decodeReview(text: string): unknown {
  const fault = syntaxFaultOf(text);
  if (fault === undefined) return JSON.parse(text);
  if (text.trimStart().startsWith('{')) throw new Error(`couldn't get version/kind; json parse error: ${fault}`);
  return readYaml(text).value;
}

/** Expected version and kind. */
interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Kinds and versions that are registered. */
interface Scheme {
  readonly kinds: readonly string[];
  readonly versions: readonly string[];
}

/** Throws when a body is not a review of the expected version and kind. */
export function checkKind(
  { apiVersion, kind: given }: Fields,
  wanted: ExpectedKind,
  { kinds, versions }: Scheme,
): void {
  const [at, name] = [apiVersion || wanted.apiVersion, given || wanted.kind];
  if (at === wanted.apiVersion && name === wanted.kind) return;
  if (!kinds.includes(String(name)) || !versions.includes(String(at))) {
    throw new Error(
      `no kind ${JSON.stringify(name)} is registered for version ${JSON.stringify(at)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  const [from, to] = [at, wanted.apiVersion].map((one) => parseApiVersion(String(one)).version);
  throw new Error(`converting (${from}.${name}) to (${to}.${wanted.kind}): unknown conversion`);
}

/** Formats a kind as Go prints it. */
export const goKindName = ({ apiVersion = '', kind: given = '' }: Fields): string => {
  const { group, version } = parseApiVersion(String(apiVersion ?? ''));
  return `${group}/${version}, Kind=${given ?? ''}`;
};
