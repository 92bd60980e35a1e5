// Runs programs in one process, each once nothing is left to be done of the one before; a NUL character stands before what each prints: FILE...
import { pathToFileURL } from 'node:url';

const programs = process.argv.slice(2).values();
let atRest = false;

const next = (): void => {
  const { value: program } = programs.next();
  if (program === undefined) return;
  process.stdout.write('\0');
  setImmediate(() => import(pathToFileURL(program).href));
};

// What others do when the loop is empty, as node:test reports then, may fill it again: twice empty is the end.
process.on('beforeExit', () => {
  atRest = !atRest;
  if (atRest) setImmediate(() => {});
  else next();
});
