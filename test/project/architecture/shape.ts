/** Rules for the size, names and statements of files, and for their tests. */

import { basename } from 'node:path/posix';
import type { AnyNode } from 'acorn';
import { full } from 'acorn-walk';
import type { Violation } from './rules.ts';
import type { Scanned } from './source.ts';

/** Limits of a file and a function. */
export const budget = { fileLines: 250, functionLines: 60, parameters: 3, branches: 10 };

/** Returns the files and functions over budget: they hold two concepts, which should be separated. */
export const overBudget = (files: readonly Scanned[]): readonly Violation[] =>
  files.flatMap(({ path, lines, functions }) => [
    ...(lines > budget.fileLines ? [`${path}: ${lines} lines, ${budget.fileLines} at most`] : []),
    ...functions
      .filter((one) => one.lines > budget.functionLines)
      .map((one) => `${path}:${one.line}: ${one.name} has ${one.lines} lines, ${budget.functionLines} at most`),
    ...functions
      .filter((one) => one.parameters > budget.parameters)
      .map((one) => `${path}:${one.line}: ${one.name} has ${one.parameters} parameters, ${budget.parameters} at most`),
    ...functions
      .filter((one) => one.branches > budget.branches)
      .map((one) => `${path}:${one.line}: ${one.name} has ${one.branches} branches, ${budget.branches} at most`),
  ]);

const vague = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'types',
  'constants',
  'misc',
  'manager',
  'base',
]);
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|real|config))?\.tsx?$/;

/** Returns the file names that are vague or not in kebab-case. */
export const badNames = (paths: readonly string[]): readonly Violation[] =>
  paths.flatMap((path) => {
    const stem = basename(path).replace(/(\.(test|real|config))?\.ts$/, '');
    if (vague.has(stem)) return [`${path}: name what it holds, not "${stem}"`];
    return kebab.test(basename(path)) ? [] : [`${path}: file names are kebab-case`];
  });

const isEmptyCollection = (node: AnyNode | null | undefined): boolean =>
  node?.type === 'NewExpression' &&
  node.arguments.length === 0 &&
  node.callee.type === 'Identifier' &&
  ['Map', 'Set', 'WeakMap', 'WeakSet'].includes(node.callee.name);

function statementViolations(statement: AnyNode): readonly string[] {
  if (statement.type === 'ExportDefaultDeclaration') return ['has a default export'];
  if (statement.type === 'ExportAllDeclaration') return ['re-exports everything: name what goes out'];
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration)
    return statementViolations(statement.declaration);
  if (statement.type !== 'VariableDeclaration') return [];
  if (statement.kind !== 'const') return [`keeps state in a module (${statement.kind})`];
  return statement.declarations.some(({ init }) => isEmptyCollection(init))
    ? ['keeps state in a module (an empty collection waits to be filled)']
    : [];
}

/** Returns the default exports, barrels and mutable module state. */
export const statementRules = (files: readonly Scanned[]): readonly Violation[] =>
  files.flatMap(({ path, program }) =>
    program.body.flatMap((statement) => statementViolations(statement).map((what) => `${path}: ${what}`)),
  );

const readsEnvironment = (node: AnyNode): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'process' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'env';

function holds(program: Scanned['program'], what: (node: AnyNode) => boolean): boolean {
  let found = false;
  full(program, (node: AnyNode) => {
    found ||= what(node);
  });
  return found;
}

const retryNames =
  /^(?:(?:initial|max|longest|retry)(?:Delay|Interval)|jitter(?:Factor)?|mostAttempts|maxAttempts|retries)$/;

/** Numbers that mean no retry: no more than the first attempt. */
const noRetry = (name: string): number => (name.endsWith('Attempts') ? 1 : 0);

/** Returns the value of a number, or of a product of numbers; NaN for anything else. */
function numberOf(node: AnyNode | null | undefined): number {
  if (node?.type === 'BinaryExpression' && node.operator === '*') return numberOf(node.left) * numberOf(node.right);
  return node?.type === 'Literal' ? Number(node.value) : Number.NaN;
}

/** Reports whether a node gives a number to a name of retries: as a constant, a member or a default. */
function setsRetry(node: AnyNode): boolean {
  const pair = (name: AnyNode, value: AnyNode | null | undefined): boolean =>
    name.type === 'Identifier' && retryNames.test(name.name) && numberOf(value) > noRetry(name.name);
  if (node.type === 'LogicalExpression')
    return pair(node.left.type === 'MemberExpression' ? node.left.property : node.left, node.right);
  if (node.type === 'VariableDeclarator') return pair(node.id, node.init);
  if (node.type === 'AssignmentPattern') return pair(node.left, node.right);
  return node.type === 'Property' && pair(node.key, node.value);
}

/** Returns the files that have numbers of retries of their own: `sdk/retry.ts` has the policies of all. */
export const scatteredRetries = (files: readonly Scanned[]): readonly Violation[] =>
  files
    .filter(({ path, program }) => path !== 'sdk/retry.ts' && holds(program, setsRetry))
    .map(({ path }) => `${path}: has a number of retries; name a policy in sdk/retry.ts`);

/** Files outside of the command line that read the environment of their process. */
const processReaders = ['sequencer/run/run.ts', 'sdk/operator/interrupt/npm-parent.ts'];

/** Returns the files outside of the program's entry points that read the environment. */
export const environmentReaders = (files: readonly Scanned[]): readonly Violation[] =>
  files
    .filter(({ path }) => !path.startsWith('sequencer/cli/') && !processReaders.includes(path))
    .filter(({ program }) => holds(program, readsEnvironment))
    .map(({ path }) => `${path}: reads process.env; take it as an option`);

const asksWhereItIs = (node: AnyNode): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'MetaProperty' &&
  node.property.type === 'Identifier' &&
  ['dirname', 'filename'].includes(node.property.name);

/** Returns the files that locate others relative to themselves: published code is bundled, so its location differs. */
export const selfLocating = (files: readonly Scanned[]): readonly Violation[] =>
  files
    .filter(({ program }) => holds(program, asksWhereItIs))
    .map(({ path }) => `${path}: asks where it is; find files by import.meta.resolve`);

/** Reports whether a file has run-time code other than re-exports. */
export const doesSomething = ({ program }: Scanned): boolean =>
  program.body.some(
    (statement) =>
      statement.type !== 'ImportDeclaration' &&
      statement.type !== 'EmptyStatement' &&
      !(statement.type === 'ExportNamedDeclaration' && statement.declaration === null),
  );

/** Returns the path of a file's own test: the same path below `test/unit`. */
export const testOf = (path: string): string => `test/unit/${path.replace(/^test\//, '')}`.replace(/\.ts$/, '.test.ts');

/** Returns the files with run-time code and without a test of their own, except those that `elsewhere` maps to the test that covers them. */
export function untested(
  files: readonly Scanned[],
  tests: ReadonlySet<string>,
  elsewhere: Readonly<Record<string, string>>,
): readonly Violation[] {
  const missing = files
    .filter((file) => doesSomething(file) && !tests.has(elsewhere[file.path] ?? testOf(file.path)))
    .map(({ path }) => `${path}: no test; expected ${elsewhere[path] ?? testOf(path)}`);
  const known = new Set(files.map(({ path }) => path));
  const stale = Object.keys(elsewhere)
    .filter((path) => !known.has(path) || tests.has(testOf(path)))
    .map((path) => `${path}: is excused from having a test, but ${known.has(path) ? 'has one' : 'is gone'}`);
  return [...missing, ...stale];
}
