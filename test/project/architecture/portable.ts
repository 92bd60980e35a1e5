/** Rules for what has to work on Windows and macOS, where nothing is run here. */

import { basename } from 'node:path/posix';
import type { AnyNode, Program } from 'acorn';
import { full } from 'acorn-walk';
import type { Violation } from './rules.ts';
import { lineAt, type Scanned } from './source.ts';

/** Programs that npm finds on each system, by name. */
const programs = ['ava', 'biome', 'cspell', 'node', 'npm', 'sequencer', 'tsc'];

/** Returns the scripts of a package.json that need a POSIX shell: commands joined by `&&` are what all shells know. */
export const shellScripts = (scripts: Readonly<Record<string, string>>): readonly Violation[] =>
  Object.entries(scripts).flatMap(([name, script]) => {
    const strange = script
      .split(' && ')
      .find(
        (command) =>
          !programs.includes(command.split(' ')[0]!) || /['`$;|<>&~*]/.test(command.replace(/"[^"$]*"/g, '')),
      );
    return strange === undefined ? [] : [`script ${name}: "${strange}" needs a POSIX shell`];
  });

const reserved = /^(?:aux|con|nul|prn|com\d|lpt\d)(?:\.|$)/i;

/** Returns the paths that Windows cannot hold, and those that it or macOS takes for one another. */
export function unheldPaths(paths: readonly string[]): readonly Violation[] {
  const byFolded = Map.groupBy(paths, (path) => path.toLowerCase().normalize('NFC'));
  const clashes = [...byFolded.values()]
    .filter(({ length }) => length > 1)
    .map((same) => `${same.join(', ')}: one name`);
  const unheld = paths.flatMap((path) => {
    const name = basename(path);
    // With a folder of 100 characters in front of it, a path stays below Windows' 260.
    if (path.length > 150) return [`${path}: ${path.length} characters`];
    return reserved.test(name) || /[<>:"|?*\\]|[. ]$/.test(name) ? [`${path}: no name on Windows`] : [];
  });
  return [...clashes, ...unheld];
}

const isMember = (node: AnyNode, name: string): boolean =>
  node.type === 'MemberExpression' && node.property.type === 'Identifier' && node.property.name === name;

/** Reports whether a node is `new URL(…, import.meta.url).pathname`, or the same of an `import.meta.url`: no path on Windows. */
const isPathOfUrl = (node: AnyNode): boolean => {
  if (node.type !== 'MemberExpression' || !isMember(node, 'pathname') || node.object.type !== 'NewExpression')
    return false;
  return node.object.arguments.some(
    (argument) =>
      isMember(argument, 'url') && argument.type === 'MemberExpression' && argument.object.type === 'MetaProperty',
  );
};

/** Returns the names that a program imports from `node:fs` and `node:fs/promises`. */
const fileFunctionsOf = (program: Program): ReadonlySet<string> =>
  new Set(
    program.body.flatMap((statement) =>
      statement.type === 'ImportDeclaration' && /^node:fs(\/promises)?$/.test(String(statement.source.value))
        ? statement.specifiers.map(({ local }) => local.name)
        : [],
    ),
  );

const joinsByHand = (node: AnyNode | undefined): boolean =>
  (node?.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes('/'))) ||
  (node?.type === 'BinaryExpression' && node.operator === '+');

/** Signals that Node sends or hears on Windows, where sending any of them ends a process. */
const signals = /^SIG(?:HUP|INT|KILL|TERM)$/;
const posixPath = /^\/(?:bin|dev|etc|home|proc|tmp|usr)\//;

function flawOfText(text: string): string | undefined {
  if (/^SIG[A-Z\d]+$/.test(text) && !signals.test(text)) return `uses ${text}, which Windows lacks`;
  return posixPath.test(text) ? `names ${text}, which Windows lacks` : undefined;
}

function flawOf(node: AnyNode, fileFunctions: ReadonlySet<string>): string | undefined {
  if (isPathOfUrl(node)) return 'takes the path of a file URL without fileURLToPath';
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && fileFunctions.has(node.callee.name))
    return joinsByHand(node.arguments[0]) ? 'joins a path by hand, not by node:path' : undefined;
  return node.type === 'Literal' && typeof node.value === 'string' ? flawOfText(node.value) : undefined;
}

/** Returns what is done with paths and signals that does not work on Windows. */
export const unportable = (files: readonly Pick<Scanned, 'path' | 'script' | 'program'>[]): readonly Violation[] =>
  files.flatMap(({ path, script, program }) => {
    const fileFunctions = fileFunctionsOf(program);
    const found: Violation[] = [];
    full(program, (node: AnyNode) => {
      const flaw = flawOf(node, fileFunctions);
      if (flaw !== undefined) found.push(`${path}:${lineAt(script, node.start)}: ${flaw}`);
    });
    return found;
  });
