/** Names in a scaffold: their rules, and the forms that its files need. */

import { UserError } from '../../../sdk/index.ts';

/** Description of an invalid name, with a valid suggestion. */
export interface NameMistake {
  readonly what: string;
  readonly next: string;
}

const label = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const pascal = /^[A-Z][A-Za-z0-9]{0,62}$/;
const domain = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;
const maxLength = 253;

/** Reserved words of JavaScript, including strict mode. */
const reserved: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Converts a text to a DNS label; empty without valid characters. */
export const labelOf = (text: string): string =>
  text
    .slice(0, maxLength)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+/, '')
    .slice(0, 63)
    .replace(/-$/, '');

/** Returns `AcmeDns` for `acme-dns`. */
export const pascalOf = (name: string): string =>
  name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** Returns `acmeDns` for `AcmeDns`. */
export const camelOf = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/** Describes an invalid name of an integration; undefined for a valid one. `taken` are the identifiers of the template. */
export function mistakeInName(name: string, taken: ReadonlySet<string>): NameMistake | undefined {
  const meant = labelOf(name);
  if (!label.test(name))
    return {
      what: `an integration is named by a DNS label (a-z, 0-9, -; a letter first; 63 characters at most); found ${shown(name)}`,
      next: meant === '' || meant === name ? 'such as acme-dns' : `did you mean ${meant}?`,
    };
  const word = camelOf(pascalOf(name));
  if (!reserved.has(word) && !taken.has(word) && !taken.has(pascalOf(name))) return undefined;
  return { what: `${name} is already an identifier of the template code`, next: `such as acme-${name}` };
}

/** Describes an invalid name of a kind; undefined for a valid one. `taken` are the identifiers of the template. */
export function mistakeInKind(kind: string, taken: ReadonlySet<string>): NameMistake | undefined {
  const meant = pascalOf(labelOf(kind));
  if (!pascal.test(kind))
    return {
      what: `a kind is named in PascalCase (A-Z, a-z, 0-9; 63 characters at most); found ${shown(kind)}`,
      next: meant === '' || meant === kind ? 'such as Website' : `did you mean ${meant}?`,
    };
  const word = camelOf(kind);
  if (!reserved.has(word) && !taken.has(word) && !taken.has(kind)) return undefined;
  return { what: `${kind} is already an identifier of the template code`, next: `such as My${kind}` };
}

/** Describes an unusable API group; undefined when it is usable. */
export const mistakeInGroup = (group: string): NameMistake | undefined =>
  domain.test(group) && group.length <= maxLength
    ? undefined
    : {
        what: `an API group is a domain in lower case; found ${shown(group)}`,
        next: 'such as example.com: one that you own',
      };

/** @throws UserError E#2038 for a mistake */
export function refuseName(command: string, mistake: NameMistake | undefined): void {
  if (mistake !== undefined)
    throw new UserError('E#2038', `sequencer ${command}: ${mistake.what}`, { hint: mistake.next });
}
