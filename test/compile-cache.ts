import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Every test file is a process of its own that loads the same sources: stripped of types and compiled once is enough.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));
