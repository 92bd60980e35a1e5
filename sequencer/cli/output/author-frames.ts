import { fileURLToPath } from 'node:url';

/** Names of errors that indicate a bug. */
const mistakes: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'EvalError',
]);

/** Maximum number of shown stack lines. */
const max = 3;

/** Returns the folder of this package. */
const home = (): string => fileURLToPath(new URL('.', import.meta.resolve('workspace-sequencer/package.json')));
const ours = /^(dist|sdk|sequencer|node_modules)\//;

/** Reports whether a line of a stack is in the code of a plug-in's author: not in Node, this package or another one. */
function isAuthors(frame: string, root: string): boolean {
  const path = /(?:\(|at (?:async )?)(?:file:\/\/)?(\/[^()]*|[A-Za-z]:[^()]*)\)?$/.exec(frame)?.[1];
  if (path === undefined) return false;
  return path.startsWith(root) ? !ours.test(path.slice(root.length)) : !path.includes('/node_modules/');
}

/** Returns the lines of a mistake's stack that are in its author's code, `at reconcile (file:///app/acme.ts:6:75)`; none for other errors. `err` is a logged error. */
export function authorFrames(err: unknown, root = home()): readonly string[] {
  const { type, stack } = (err ?? {}) as { readonly type?: unknown; readonly stack?: unknown };
  if (typeof type !== 'string' || typeof stack !== 'string' || !mistakes.has(type)) return [];
  const frames = stack.split('\n').map((line) => line.trim());
  return frames
    .filter((line) => line.startsWith('at ') && isAuthors(line, root))
    .map((line) => line.replace(/\?reload=\d+/, ''))
    .slice(0, max);
}
