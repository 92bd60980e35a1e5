/** Stack frames of an error that are in the code of an integration's author. */

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
const packageCode = /^(dist|sdk|sequencer|node_modules)\//;

/** Reports whether a line of a stack is in the code of a plug-in's author: not in Node, this package or another one. */
function isAuthorFrame(frame: string, root: string): boolean {
  const path = /(?:\(|at (?:async )?)(?:file:\/\/)?(\/[^()]*|[A-Za-z]:[^()]*)\)?$/.exec(frame)?.[1];
  if (path === undefined) return false;
  return path.startsWith(root) ? !packageCode.test(path.slice(root.length)) : !path.includes('/node_modules/');
}

/** Returns the lines of a mistake's stack that are in its author's code, `at reconcile (file:///app/acme.ts:6:75)`; none for other errors. `err` is a logged error. */
export function authorFrames(err: unknown, root = packageFolder()): readonly string[] {
  const { type, stack } = (err ?? {}) as { readonly type?: unknown; readonly stack?: unknown };
  if (typeof type !== 'string' || typeof stack !== 'string' || !bugErrorNames.has(type)) return [];
  const frames = stack.split('\n').map((line) => line.trim());
  return frames
    .filter((line) => line.startsWith('at ') && isAuthorFrame(line, root))
    .map((line) => line.replace(/\?reload=\d+/, ''))
    .slice(0, maxFrames);
}
