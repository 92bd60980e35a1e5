// Runs programs in one process, each once the event loop of the one before is empty; a NUL character precedes the output of each: FILE...
import { pathToFileURL } from 'node:url';

const programs = process.argv.slice(2).values();
let atRest = false;

const next = (): void => {
  const { value: program } = programs.next();
  if (program === undefined) return;
  process.stdout.write('\0');
  setImmediate(() => import(pathToFileURL(program).href));
};

// Other listeners of beforeExit, such as node:test's reporters, may fill the loop again: it is finished when empty twice.
process.on('beforeExit', () => {
  atRest = !atRest;
  if (atRest) setImmediate(() => {});
  else next();
});
