/** Shared parameters of OpenAPI v2 documents. */

import { escapeHtml } from '../apimachinery/go/go-json.ts';
import type { Fields } from '../apimachinery/object.ts';

const mask = 0xffff_ffff_ffff_ffffn;

/** Returns the first 6 bytes of the 64-bit FNV-1 hash, as 8 letters of base64. */
function hashOf(text: string): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of Buffer.from(text)) hash = ((hash * 0x100_0000_01b3n) & mask) ^ BigInt(byte);
  return Buffer.from(hash.toString(16).padStart(16, '0'), 'hex').subarray(0, 6).toString('base64url');
}

const generic = '#/definitions/io.k8s.apimachinery';
/** Parameters that older kubectl versions look up without following references. */
const spelledOut: ReadonlySet<unknown> = new Set(['name', 'fieldValidation', 'dryRun']);

function isShared({ name, in: place, schema }: Fields): boolean {
  if (place === 'body') return String((schema as Fields).$ref).startsWith(generic);
  return !spelledOut.has(name);
}

/** Extracts repeated parameters; returns them by names with a hash, and the paths with references to them. */
export function sharedParameters(paths: Fields): { readonly paths: Fields; readonly parameters: Fields } {
  const names = new Map<string, string>();
  const parameters: Record<string, Fields> = {};
  const refer = (parameter: Fields): Fields => {
    if (!isShared(parameter)) return parameter;
    const text = escapeHtml(JSON.stringify(parameter));
    const name = names.get(text) ?? `${parameter.name}-${hashOf(text)}`;
    names.set(text, name);
    parameters[name] = parameter;
    return { $ref: `#/parameters/${name}` };
  };
  const inItem = (item: Fields): Fields =>
    item.parameters === undefined ? item : { ...item, parameters: (item.parameters as readonly Fields[]).map(refer) };
  const inPath = (path: Fields): Fields => {
    const members = Object.entries(inItem(path)).map(([word, value]) => [
      word,
      word === 'parameters' ? value : inItem(value as Fields),
    ]);
    return Object.fromEntries(members) as Fields;
  };
  const made = Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, inPath(item as Fields)]));
  return { paths: made, parameters };
}
