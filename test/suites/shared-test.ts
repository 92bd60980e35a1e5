import test from 'ava';
import { loading, sharing } from './together.ts';

/** What `ava` is to test files that share a worker. */
export default sharing(test, loading);
