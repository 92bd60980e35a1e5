/** Rules for comments and texts: their form, their words, and the sentence that a file begins with. */

import { dirname, join } from 'node:path/posix';
import type { Violation } from './rules.ts';
import { lineAt, type Source } from './source.ts';

/** Matches a doc comment that begins with a question word, on its first line or on the second. */
const asking = /\/\*\*\s*(?:\* ?)?(?:What|Whose|Who|How|Where|When|Whether|Why|Which)\b.*/g;

/**
 * Words for a person or program that is not reported, as the source of a pattern: pronouns, and a `who` that begins a clause of its own
 * ("kept by who asks", "who asks waits"). A `who` after the noun that it stands for is not among them.
 */
export const untold = [
  String.raw`\b(?:whoever|whomever|nobody|somebody|someone|anybody|anyone|everybody|everyone|no one)\b`,
  String.raw`(?<=['"\x60]|[:;(] |\b(?:and|as|by|for|of|or|than|then|those|to|with) )who\b`,
].join('|');

/** Matches a line of a comment with such a word. */
const vague = new RegExp(String.raw`^(?:[^\S\n]*(?:\/\*\*|\*|\/\/).*|.* \/\/ .*)(?:${untold}).*`, 'gim');

const vagueText = new RegExp(untold, 'i');

/** Matches a text on one line, with its quotes. */
const quotedText = /(['"`])(?:\\.|(?!\1).)*\1/g;

/** Matches a line with such a word, in a comment, a text or a name. */
const vagueLine = new RegExp(`^.*(?:${untold}).*`, 'gim');

function placesOf(pattern: RegExp, { path, text }: Source): readonly Violation[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    return `${path}:${lineAt(text, index)}: ${found.replace(/\s+/g, ' ').trim()}`;
  });
}

/** Returns the doc comments that begin with a question word. */
export const askingComments = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(asking, source));

/** Returns the lines of comments with such a word, in place of a client, an owner or a holder. */
export const vagueComments = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(vague, source));

/** Returns the texts of three words or more, such as titles of tests, with such a word. */
export const vagueTitles = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) =>
    placesOf(quotedText, source).filter((place) => vagueText.test(place) && place.split(' ').length > 3),
  );

/** Returns the lines whose texts people read that have such a word. */
export const vagueTexts = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(vagueLine, source));

/** Matches a number at the end of the default that a comment gives; its digits may be separated. */
const numericDefault = /@default (\d[\d _]*)(?=$| \*\/|;)/gm;

/** Matches a comment, and an import of a file of the repository. */
const [anyComment, localImport] = [/\/\*\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, /from '(\.[^']+)'/g];

/** Returns the numbers in a file's code, also as products such as `5 * 60_000`. */
function numbersIn(text: string): ReadonlySet<number> {
  const code = text.replace(anyComment, '');
  const numbers = [...code.matchAll(/\b\d[\d_]*(?: \* \d[\d_]*)*/g)].map(([found]) =>
    found.replaceAll('_', '').split(' * ').map(Number),
  );
  return new Set(numbers.flatMap((factors) => [...factors, factors.reduce((product, factor) => product * factor)]));
}

/** Returns the comments whose numeric default is neither in the code of their file nor in that of a file which it imports. */
export function staleDefaults(sources: readonly Source[]): readonly Violation[] {
  const numbers = new Map(sources.map(({ path, text }) => [path, numbersIn(text)]));
  return sources.flatMap(({ path, text }) => {
    const files = [path, ...[...text.matchAll(localImport)].map(([, target = '']) => join(dirname(path), target))];
    return [...text.matchAll(numericDefault)]
      .filter(([, digits = '']) => {
        const value = Number(digits.replace(/[ _]/g, ''));
        return value !== 0 && !files.some((file) => numbers.get(file)?.has(value));
      })
      .map(
        ({ 1: digits = '', index }) =>
          `${path}:${lineAt(text, index)}: the default ${digits.trim()} is not in the code: keep it beside its option`,
      );
  });
}

/** Counts the declarations that a file exports. */
const exportCount = (text: string): number => (text.match(/^export (?!\{|type \{)/gm) ?? []).length;

/** Reports whether the first thing in a file, after a shebang, is a comment that belongs to no declaration. */
function beginsWithComment(text: string): boolean {
  const body = text.replace(/^#!.*\n/, '');
  const block = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/.exec(body)?.[0] ?? /^(?:\/\/.*\n)+/.exec(body)?.[0];
  return block !== undefined && /^(?:\n|import |\/\*\*|export \{|export type \{)/.test(body.slice(block.length));
}

/** Returns the files that do not begin with a comment, after a shebang: the first comment of a file follows its imports where it is not at the top. */
export const uncommented = (sources: readonly Source[]): readonly Violation[] =>
  sources
    .filter(({ text }) => !/^(?:#!.*\n)?(?:\/\*\*|\/\/)/.test(text))
    .map(({ path }) => `${path}: does not begin with a comment on what it is for`);

/** Returns the files with several exports that do not begin with a sentence on what they are for. */
export const untitled = (sources: readonly Source[]): readonly Violation[] =>
  sources
    .filter(({ text }) => exportCount(text) > 1 && !beginsWithComment(text))
    .map(({ path }) => `${path}: does not begin with a sentence on what it is for`);
