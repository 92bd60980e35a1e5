import test from 'ava';
import { declarations, sharing } from './together.ts';

/** Replacement of `ava` for test files that share a worker. */
export default sharing(test, declarations);
