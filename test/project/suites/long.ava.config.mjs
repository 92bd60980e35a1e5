import { setFlagsFromString } from 'node:v8';
import quick from './ava.config.mjs';
import { long } from './partition.ts';

// Simulations run long enough for code of V8's last compiler.
setFlagsFromString('--turbofan');

/** What `npm run test:long` runs: the files that `npm test` leaves out. */
export default { ...quick, files: [...long] };
