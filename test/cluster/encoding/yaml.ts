/** Reads YAML with the server's errors. */

import {
  isCollection,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  type Scalar,
  type Tags,
  visit,
  type YAMLError,
} from 'yaml';
import { hasSurrogates, maxYamlLevels } from '../apimachinery/go/go-json.ts';
import { isTooDeep } from '../apimachinery/go/go-json-syntax.ts';
import { largeNumber, repeatsMembers } from './json-member-scan.ts';

/** Invalid YAML; the message is that of the server's parser, with the parser's name before it. */
export class YamlFault extends Error {
  override readonly name = 'YamlFault';

  constructor(why: string, parser = 'yaml') {
    super(`${parser}: ${why}`);
  }
}

/** First document of a text. */
export interface YamlContent {
  readonly value: unknown;
  /** Duplicate keys and their lines, in the parser's words; the last value is used. */
  readonly repeated: readonly string[];
}

/** Origin of a parser's error: the scanner counts lines from one, the grammar from zero, and line zero is not shown. */
type ErrorOrigin = 'scanner' | 'grammar' | 'end';

interface ErrorWording {
  readonly when: RegExp;
  readonly says: string;
  readonly at: ErrorOrigin;
}

const wordings: readonly ErrorWording[] = [
  { when: /^Flow sequence/, says: "did not find expected ',' or ']'", at: 'end' },
  { when: /^Flow map/, says: "did not find expected ',' or '}'", at: 'end' },
  { when: /between flow map items/, says: "did not find expected ',' or '}'", at: 'grammar' },
  { when: /between flow sequence items/, says: "did not find expected ',' or ']'", at: 'grammar' },
  { when: /^Missing closing/, says: 'found unexpected end of stream', at: 'scanner' },
  { when: /^Tabs are not|^Plain value cannot/, says: 'found character that cannot start any token', at: 'scanner' },
  { when: /^Nested mappings|^Implicit keys/, says: 'mapping values are not allowed in this context', at: 'scanner' },
  { when: /followed by map values/, says: "could not find expected ':'", at: 'scanner' },
  { when: /directives-end/, says: 'found unknown directive name', at: 'scanner' },
  { when: /^All mapping items/, says: 'did not find expected key', at: 'grammar' },
  { when: /node end/, says: "did not find expected '-' indicator", at: 'grammar' },
];

/** Error for a list where a map continues. */
const listInMap: ErrorWording = { when: /^/, says: 'did not find expected key', at: 'grammar' };
const otherwise: ErrorWording = { when: /^/, says: 'did not find expected node content', at: 'grammar' };

/** Line that ends within a plain scalar, which the next line may continue. */
const plainEnd = /(?:^|[:-] +)[^\s'"{}[\]|>&*#:-](?:[^#]*[^#:\s])?$/;

interface ParsedDocument {
  readonly text: string;
  readonly lines: LineCounter;
}

/** Returns the wording for a message of the parser, at the rest of a line. */
function wordingOf(message: string, rest: string): ErrorWording {
  if (message.startsWith('Implicit keys') && rest.startsWith('- ')) return listInMap;
  return wordings.find(({ when }) => when.test(message)) ?? otherwise;
}

function messageOf({ message, pos }: YAMLError, { text, lines }: ParsedDocument): string {
  const { line, col } = lines.linePos(pos[0]);
  const texts = text.split('\n');
  const { says: usual, at } = wordingOf(message, texts[line - 1]!.slice(col - 1));
  const says = at === 'end' && /[{[,:]\s*$/.test(text) ? otherwise.says : usual;
  if (at === 'end') return `line ${col === 1 ? line - 1 : line}: ${says}`;
  if (message.startsWith('Tabs are not') && plainEnd.test(texts[line - 2] ?? '')) {
    return `line ${line}: found a tab character that violates indentation`;
  }
  if (line === 1) return says;
  return `line ${at === 'scanner' ? line : line - 1}: ${says}`;
}

const tooDeep = (): YamlFault => new YamlFault(`exceeded max depth of ${maxYamlLevels}`);

/** Lexer token before the text of a scalar. */
const scalar = '\u001f';

/** Levels that a bracket opens or closes. */
const bracketSteps: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
]);

/** Refuses deeply nested brackets before parsing, which would take too long for millions of them. */
function checkBrackets(text: string): void {
  if ((text.match(/[[{]/g)?.length ?? 0) <= maxYamlLevels) return;
  let [level, before] = [0, ''];
  for (const token of new Lexer().lex(text)) {
    if (before !== scalar) level += bracketSteps.get(token) ?? 0;
    if (level > maxYamlLevels) throw tooDeep();
    before = token;
  }
}

function checkDepth(path: readonly unknown[]): void {
  if (path.length > maxYamlLevels && path.filter(isCollection).length >= maxYamlLevels) throw tooDeep();
}

/** Returns the value of YAML that is plain JSON, which is read many times as fast; undefined for other YAML. */
function jsonIn(text: string): unknown {
  if (!/^\s*\{/.test(text) || hasSurrogates(text) || isTooDeep(text) || largeNumber.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return repeatsMembers(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Tags of YAML 1.1 without numbers to base 60 and times, which the server takes for texts, and with octal numbers such as `0o17`. */
const customTags = (tags: Tags): Tags => [
  ...tags.filter((tag) => typeof tag === 'string' || !(tag.format === 'TIME' || tag.tag.endsWith(':timestamp'))),
  'intOct',
];

/** Takes numbers that are too large, and dots, for texts, and refuses those that JSON does not have. Throws a {@link YamlFault}. */
function checkNumber(scalar: Scalar): void {
  const { value, source = '' } = scalar;
  if (typeof value !== 'number' || Number.isFinite(value)) return;
  if (!/inf|nan/i.test(source)) scalar.value = source;
  else throw new YamlFault(`unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`, 'json');
}

/** Parses YAML 1.1 as the server does. Throws a {@link YamlFault}. */
export function readYaml(text: string): YamlContent {
  const json = jsonIn(text);
  if (json !== undefined) return { value: json, repeated: [] };
  checkBrackets(text);
  const lines = new LineCounter();
  // Pretty errors take time quadratic in their number.
  const options = { version: '1.1', customTags, uniqueKeys: false, lineCounter: lines, prettyErrors: false } as const;
  const document = parseDocument(text, options);
  const fault = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (fault !== undefined) throw new YamlFault(messageOf(fault, { text, lines }));
  const repeated: { line: number; key: string }[] = [];
  visit(document, {
    Scalar: (_key, found) => checkNumber(found),
    Seq: (_key, _list, path) => checkDepth(path),
    Map(_key, map, path) {
      checkDepth(path);
      const seen = new Set<unknown>();
      for (const { key } of isMap(map) ? map.items : []) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0);
          repeated.push({ line, key: String(key.value) });
        }
        seen.add(key.value);
      }
    },
  });
  try {
    repeated.sort((a, b) => a.line - b.line);
    const texts = repeated.map(({ line, key }) => `line ${line}: key ${JSON.stringify(key)} already set in map`);
    return { value: document.toJS(), repeated: texts };
  } catch (error) {
    if (/Excessive alias count/.test((error as Error).message))
      throw new YamlFault('document contains excessive aliasing');
    const anchor = /: (\S+)$/.exec((error as Error).message)?.[1] ?? '';
    throw new YamlFault(`unknown anchor '${anchor}' referenced`);
  }
}
