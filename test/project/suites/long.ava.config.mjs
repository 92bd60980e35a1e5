import quick from './ava.config.mjs';
import { long } from './partition.ts';

/** What `npm run test:long` runs: the files that `npm test` leaves out. */
export default { ...quick, files: [...long] };
