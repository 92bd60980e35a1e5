/** XML without attributes of interest, as the API of Route 53 takes and answers it. */

/** Element: its text, or the elements in it. */
export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(#x?)?([\da-z]+);/gi, (_, number: string | undefined, code: string) =>
    number === undefined
      ? (entities[code] ?? '')
      : String.fromCodePoint(Number.parseInt(code, number === '#' ? 10 : 16)),
  );

/** Parses a document. @returns its root */
export function parseXml(document: string): Element {
  const root = { name: '', text: '', children: [] as Element[] };
  const open = [root];
  for (const [, close, name = '', selfClosed, text = ''] of document
    .replace(/<\?.*?\?>/s, '')
    .matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>([^<]*)/g)) {
    if (close === '/') open.pop();
    else {
      const element = { name, text: decoded(text), children: [] as Element[] };
      open.at(-1)!.children.push(element);
      if (selfClosed !== '/') open.push(element);
    }
  }
  return root.children[0] ?? root;
}

/** Returns the elements of a name in another one. */
export const all = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Returns the first element at a path; undefined when there is none. */
export const at = (element: Element | undefined, ...path: readonly string[]): Element | undefined =>
  path.reduce((one, name) => all(one, name)[0], element);

/** Writes an element of a text, or of elements that are written already; nothing for undefined. */
export const xml = (name: string, content: string | number | boolean | readonly string[] | undefined): string => {
  if (content === undefined) return '';
  const inner = Array.isArray(content)
    ? content.join('')
    : String(content).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<${name}>${inner}</${name}>`;
};
