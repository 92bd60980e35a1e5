/** Rules for comments and texts: their form, their words, and the sentence that a file begins with. */

import type { Violation } from './rules.ts';
import type { Source } from './source.ts';

/** Matches a doc comment that begins with a question word, on its first line or on the second. */
const asking = /\/\*\*\s*(?:\* ?)?(?:What|Whose|Who|How|Where|When|Whether|Why|Which)\b.*/g;

/** Matches a line of a comment with a word for a person that is not told. */
const vague = /^(?:[^\S\n]*(?:\/\*\*|\*|\/\/).*|.* \/\/ .*)\b(?:whoever|nobody|somebody|someone|anybody|anyone)\b.*/gim;

/** Matches the title of a test with such a word, up to the end of its line. */
const vagueTitle = /\b(?:test|real)(?:\.\w+)*\(\s*['`].*\b(?:whoever|nobody|somebody|someone|anybody|anyone)\b.*/gi;

/** Matches a line with such a word, in a comment, a text or a name. */
const vagueLine = /^.*\b(?:whoever|nobody|somebody|someone|anybody|anyone)\b.*/gim;

function placesOf(pattern: RegExp, { path, text }: Source): readonly Violation[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${path}:${line}: ${found.replace(/\s+/g, ' ').trim()}`;
  });
}

/** Returns the doc comments that begin with a question word. */
export const askingComments = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(asking, source));

/** Returns the lines of comments with such a word, in place of a client, an owner or a holder. */
export const vagueComments = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(vague, source));

/** Returns the titles of tests with such a word. */
export const vagueTitles = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(vagueTitle, source));

/** Returns the lines whose texts people read that have such a word. */
export const vagueTexts = (sources: readonly Source[]): readonly Violation[] =>
  sources.flatMap((source) => placesOf(vagueLine, source));

/** Counts the declarations that a file exports. */
const exportCount = (text: string): number => (text.match(/^export (?!\{|type \{)/gm) ?? []).length;

/** Reports whether the first thing in a file, after a shebang, is a comment that belongs to no declaration. */
function beginsWithComment(text: string): boolean {
  const body = text.replace(/^#!.*\n/, '');
  const block = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/.exec(body)?.[0] ?? /^(?:\/\/.*\n)+/.exec(body)?.[0];
  return block !== undefined && /^(?:\n|import |\/\*\*|export \{|export type \{)/.test(body.slice(block.length));
}

/** Returns the files with several exports that do not begin with a sentence on what they are for. */
export const untitled = (sources: readonly Source[]): readonly Violation[] =>
  sources
    .filter(({ text }) => exportCount(text) > 1 && !beginsWithComment(text))
    .map(({ path }) => `${path}: does not begin with a sentence on what it is for`);
