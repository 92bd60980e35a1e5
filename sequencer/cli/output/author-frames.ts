/** Reads stack traces: the lines of a plug-in's author, and those of this package. */

import { fileURLToPath } from 'node:url';

/** Names of errors that indicate a bug. */
const bugErrorNames: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'EvalError',
]);

/** Maximum number of shown stack lines. */
const maxFrames = 3;

/** Returns the folder of this package. */
const packageFolder = (): string =>
  fileURLToPath(new URL('.', import.meta.resolve('workspace-sequencer/package.json')));
const packageCode = /^(dist|sdk|sequencer)\//;

/** Returns the path in a line of a stack; undefined for Node's own code. */
const pathIn = (frame: string): string | undefined =>
  /(?:\(|at (?:async )?)(?:file:\/\/)?(\/[^()]*|[A-Za-z]:[^()]*)\)?$/.exec(frame)?.[1];

/** Reports whether a line of a stack is in this package's code: not in that of its examples and integrations. */
export function isPackageFrame(frame: string, root = packageFolder()): boolean {
  const path = pathIn(frame) ?? '';
  return path.startsWith(root) && packageCode.test(path.slice(root.length));
}

/** Reports whether a line of a stack is in the code of a plug-in's author: not in Node, this package or another one. */
function isAuthorFrame(frame: string, root: string): boolean {
  const path = pathIn(frame);
  if (path === undefined) return false;
  return (
    !isPackageFrame(frame, root) &&
    !`/${path.slice(path.startsWith(root) ? root.length : 0)}`.includes('/node_modules/')
  );
}

/** Returns the first lines of a stack that are in an author's code, the innermost first. */
export function framesOfAuthor(stack: string, root = packageFolder()): readonly string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') && isAuthorFrame(line, root))
    .map((line) => line.replace(/\?reload=\d+/, ''))
    .slice(0, maxFrames);
}

/** Returns the lines of a mistake's stack that are in its author's code, `at reconcile (file:///app/acme.ts:6:75)`; none for other errors. `err` is a logged error. */
export function authorFrames(err: unknown, root = packageFolder()): readonly string[] {
  const { type, stack } = (err ?? {}) as { readonly type?: unknown; readonly stack?: unknown };
  if (typeof type !== 'string' || typeof stack !== 'string' || !bugErrorNames.has(type)) return [];
  return framesOfAuthor(stack, root);
}
