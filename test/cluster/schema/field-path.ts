/** Paths of fields in a structural schema. */

import { additionalOf, type Structural } from './structural.ts';

const step = /^(?:\.([^.[\]']+)|\['((?:\\.|[^'\\])*)'\])/;

/**
 * Formats a path such as `.a.b` or `.map['key']` as in error messages, without the first dot; undefined for paths
 * that the schema does not describe.
 */
export function fieldPathIn(schema: Structural, path: string): string | undefined {
  let at: Structural | undefined = schema;
  let written = '';
  for (let rest = path; rest !== ''; ) {
    const [whole, plain, quoted] = step.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    const name = plain ?? quoted!.replaceAll(/\\(.)/g, '$1');
    const isProperty: boolean = at.properties !== undefined;
    at = isProperty ? at.properties![name] : additionalOf(at);
    if (at === undefined) return undefined;
    written += isProperty ? `.${name}` : `[${name}]`;
    rest = rest.slice(whole.length);
  }
  return written.replace(/^\./, '');
}
