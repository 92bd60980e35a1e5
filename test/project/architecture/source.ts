/** Reads and parses the source files of the repository. */

import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';
import { type AnyNode, type Function as FunctionNode, type Program, parse } from 'acorn';
import { transformSync } from 'esbuild';

/** File of the repository: `path` has slashes and is relative to the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Import of a module by another. */
export interface Import {
  /** Specifier as written. */
  readonly specifier: string;
  /** Imported file, if it is in the repository; else the package's name. */
  readonly target: string;
  /** `type`: erased at run time · `static`: loaded with the file · `lazy`: loaded when reached. */
  readonly when: 'type' | 'static' | 'lazy';
}

/** Measures of a function, method or closure. */
export interface Measured {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  readonly parameters: number;
  /** Cyclomatic complexity: 1, and one for each condition, loop, case and short-circuit operator; functions within it count for themselves. */
  readonly branches: number;
}

/** Scanned source file. */
export interface Scanned extends Source {
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly functions: readonly Measured[];
  /** The text without types, which the nodes of `program` point into. */
  readonly script: string;
  readonly program: Program;
}

/** Reads all TypeScript files below the given folders. */
export function readSources(root: string, folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/'))
      .sort()
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
}

/** Resolves a specifier: `./a.ts` relative to `from`; a package to its name without subpath; `node:x` unchanged. */
export function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const mentioned = /\b(?:import|export)\s+type\b[^'"();]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Import of a node, if it is one. */
function importIn(node: AnyNode): Pick<Import, 'specifier' | 'when'> | undefined {
  const found = (source: AnyNode | null | undefined, when: Import['when']) =>
    source?.type === 'Literal' && typeof source.value === 'string' ? { specifier: source.value, when } : undefined;
  if (node.type === 'ImportExpression') return found(node.source, 'lazy');
  if (
    node.type === 'ImportDeclaration' ||
    node.type === 'ExportAllDeclaration' ||
    node.type === 'ExportNamedDeclaration'
  )
    return found(node.source, 'static');
  return undefined;
}

/** Imports of a file: those of its program, and those of types, which its program no longer has. */
function importsOf(
  { path, text }: Source,
  inProgram: readonly Pick<Import, 'specifier' | 'when'>[],
): readonly Import[] {
  const known = new Set(inProgram.map(({ specifier }) => specifier));
  const ofTypes = [...text.matchAll(mentioned)].map(([, from, inline]) => from ?? inline!);
  const erased = [...new Set(ofTypes)].filter((specifier) => !known.has(specifier));
  return [...inProgram, ...erased.map((specifier) => ({ specifier, when: 'type' as const }))].map((found) => ({
    ...found,
    target: targetOf(path, found.specifier),
  }));
}

const nameOf = (node: FunctionNode, parent: AnyNode | undefined): string => {
  if (node.id) return node.id.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  if ((parent?.type === 'MethodDefinition' || parent?.type === 'Property') && 'name' in parent.key)
    return String(parent.key.name);
  return 'a function';
};

const branching: ReadonlySet<string> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

const isBranch = (node: AnyNode): boolean =>
  branching.has(node.type) ||
  (node.type === 'SwitchCase' && node.test != null) ||
  (node.type === 'AssignmentExpression' && ['&&=', '||=', '??='].includes(node.operator));

/** Returns the number of the line with this offset. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

const measuresOf = (node: FunctionNode, parent: AnyNode | undefined, script: string) => ({
  name: nameOf(node, parent),
  line: lineAt(script, node.start),
  lines: script.slice(node.start, node.end).split('\n').length,
  parameters: node.params.length,
  branches: 1,
});

const isNode = (value: unknown): value is AnyNode => typeof value === 'object' && value !== null && 'type' in value;
const isFunction = (node: AnyNode): node is AnyNode & FunctionNode =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** Reads imports and functions of a program in one walk. */
function contentsOf(program: Program, script: string) {
  const imports: Pick<Import, 'specifier' | 'when'>[] = [];
  const functions: { -readonly [Member in keyof Measured]: Measured[Member] }[] = [];
  const visit = (node: AnyNode, parent: AnyNode | undefined, within: { branches: number }): void => {
    if (isBranch(node)) within.branches += 1;
    const found = importIn(node);
    if (found) imports.push(found);
    const measured = isFunction(node) ? measuresOf(node, parent, script) : undefined;
    if (measured) functions.push(measured);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, node, measured ?? within);
  };
  visit(program, undefined, { branches: 0 });
  return { imports, functions };
}

/** Returns a file without its types: as Node does, which keeps line numbers, or with its JSX as calls, which does not. */
const scriptOf = ({ path, text }: Source): string =>
  path.endsWith('.tsx')
    ? transformSync(text, { loader: 'tsx', jsx: 'transform' }).code
    : stripTypeScriptTypes(text.replace(/^#!.*/, ''));

/** Parses a file after erasing its types. Functions of a `.tsx` file are not measured: their lines are not those of the file. */
export function scan(source: Source): Scanned {
  const script = scriptOf(source);
  const program = parse(script, { ecmaVersion: 'latest', sourceType: 'module' });
  const { imports, functions } = contentsOf(program, script);
  return {
    ...source,
    lines: source.text.trimEnd().split('\n').length,
    imports: importsOf(source, imports),
    functions: source.path.endsWith('.tsx') ? [] : functions,
    script,
    program,
  };
}
