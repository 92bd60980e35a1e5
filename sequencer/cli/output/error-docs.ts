/** Parses docs/errors.md: description, remedy and example of each error code. */

/** Entry of one code. */
export interface ErrorEntry {
  /** `E#2003` */
  readonly code: string;
  readonly description: string;
  readonly remedy: string;
  /** Shell commands that cause the error, with their output; absent without an example. */
  readonly example?: string;
}

/** Returns a cell without the marks of Markdown: a link becomes its text. */
const plainCell = (cell: string): string =>
  cell
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\\|', '|')
    .trim();

/** Returns the examples by code: the text of all fenced blocks below the code's heading. */
function examplesOf(page: string): ReadonlyMap<string, string> {
  const sections = page.split(/^### (?=E#\d{4}$)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const blocks = [...section.split(/^## /m, 1)[0]!.matchAll(/^```(\w+)[ ]?(?:file=(\S+))?\n([\s\S]*?)^```$/gm)];
      const texts = blocks.map(([, language, file, text = '']) => {
        if (file !== undefined) return `# ${file}\n${text}`;
        return language === 'sh' ? text.replace(/^/gm, '$ ').replace(/\$ $/, '') : text;
      });
      return [section.slice(0, 6), texts.join('\n').trimEnd()];
    }),
  );
}

/** Parses the entries of the page, in its order. */
export function errorEntriesOf(page: string): readonly ErrorEntry[] {
  const examples = examplesOf(page);
  return page.split('\n').flatMap((line) => {
    const [, code, description = '', remedy = ''] = /^\| (E#\d{4}) \| (.*?[^\\]) \| (.*) \|$/.exec(line) ?? [];
    if (code === undefined) return [];
    const example = examples.get(code);
    return [
      {
        code,
        description: plainCell(description),
        remedy: plainCell(remedy),
        ...(example !== undefined && { example }),
      },
    ];
  });
}
