/** Parses fenced blocks and links of Markdown pages. */

/** Fenced block of a page. */
export interface Block {
  readonly language: string;
  /** Words after the language: `run`, `file=NAME`. */
  readonly words: readonly string[];
  readonly text: string;
  /** Number of its first line, from 1. */
  readonly line: number;
}

const fence = /^```(\S+)[ ]?(.*)\n([\s\S]*?)^```$/gm;

/** Returns the fenced blocks of a Markdown text, in order. */
export const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(fence)].map((match) => ({
    language: match[1]!,
    words: match[2]!.split(' ').filter((word) => word !== ''),
    text: match[3]!,
    line: markdown.slice(0, match.index).split('\n').length + 1,
  }));

/** Returns the Markdown of a source file's doc comments, each of its lines in its place; lines of code are empty. */
export const docCommentsOf = (source: string): string =>
  source
    .split('\n')
    .map((line) => /^ \*(?: (.*))?$/.exec(line)?.[1] ?? '')
    .join('\n');

/** Returns a block's file name: its own, or one made of its line number. */
export const fileOf = ({ words, line }: Block): string =>
  words.find((word) => word.startsWith('file='))?.slice('file='.length) ?? `line-${line}.ts`;

/** Returns the links of a Markdown text to files, without anchors. */
export const linksOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
