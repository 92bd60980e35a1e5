import quick from './ava.config.mjs';
import { long } from './partition.ts';

/** These take longest: they go first, so that no processor waits for the last of them. */
const longest =
  /\/(mutants\/removals|lives\/sweep|faults\/faults|flawed-plug-ins|error-examples|bench|compliance\/index|acme\/compliance|scaffold\/make|prove)\.test\.ts$/;

/** What `npm run test:long` runs: the files that `npm test` leaves out. */
export default {
  ...quick,
  concurrency: 5, // some wait for programs that they start
  files: [...long],
  sortTestFiles: (one, other) => longest.test(other) - longest.test(one) || one.localeCompare(other),
};
