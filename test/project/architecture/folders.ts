/** Rules for folders: each says in one sentence what it is for, in its README.md or its index.ts. */

import { dirname } from 'node:path/posix';
import type { Violation } from './rules.ts';
import type { Source } from './source.ts';

/** Largest number of words in the sentence of a folder. */
const maxSentenceWords = 25;

/** Returns the folders of some files, and the folders around them up to `roots`, sorted. */
export function foldersOf(files: readonly Source[], roots: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const root of roots)
    for (const { path } of files)
      for (let folder = dirname(path); `${folder}/`.startsWith(`${root}/`); folder = dirname(folder)) found.add(folder);
  return [...found].sort();
}

/** Returns the first sentence of a text: up to a full stop before a space. */
const firstSentence = (text: string): string => /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** Returns the sentence at the beginning of an index.ts that is tagged as the documentation of its folder. */
function sentenceOfIndex(text: string): string | undefined {
  const [, comment = ''] = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\//.exec(text) ?? [];
  const words = comment.replace(/^\s*\* ?/gm, '').trim();
  return words.includes('@packageDocumentation') ? firstSentence(words) : undefined;
}

/** Returns the first paragraph after the title of a README: all of it where the title is a path, else its first sentence, since a page for users goes on. */
function sentenceOfPage(text: string): string {
  const [title = '', paragraph = ''] = text.split(/\n{2,}/);
  return isPath(title) ? paragraph.trim() : firstSentence(paragraph.trim());
}

const isPath = (title: string): boolean => /^# [\w-]+(?:\/[\w-]+)+$/.test(title);

/** Returns the mistakes in a sentence. */
function flawsOf(sentence: string): readonly string[] {
  const words = sentence.split(/\s+/).length;
  return [
    ...(words > 3 && /^[A-Z`][^\n]*\.$/.test(sentence) && firstSentence(sentence) === sentence
      ? []
      : [`"${sentence.slice(0, 60)}" is not one sentence`]),
    ...(words > maxSentenceWords ? [`its sentence has ${words} words, at most ${maxSentenceWords}`] : []),
  ];
}

/** Returns the folders without a sentence on what they are for, and those whose sentence is none or too long. `pages` are README.md and index.ts files. */
export const unexplainedFolders = (folders: readonly string[], pages: readonly Source[]): readonly Violation[] =>
  folders.flatMap((folder) => {
    const textOf = (name: string) => pages.find(({ path }) => path === `${folder}/${name}`)?.text;
    const page = textOf('README.md');
    const sentence = page === undefined ? sentenceOfIndex(textOf('index.ts') ?? '') : sentenceOfPage(page);
    if (sentence === undefined)
      return [`${folder}: no README.md, and no index.ts with @packageDocumentation, says what it is for`];
    const title = page?.split('\n', 1)[0] ?? '';
    const misnamed = isPath(title) && title !== `# ${folder}` ? [`its title is "${title}", not "# ${folder}"`] : [];
    return [...misnamed, ...flawsOf(sentence)].map((why) => `${folder}: ${why}`);
  });
