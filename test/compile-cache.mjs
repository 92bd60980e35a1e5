import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Every test file is a worker of its own that loads the same sources: stripped of types and compiled once is enough.
// Loaded before AVA itself, so that its modules are kept too; plain JavaScript, since what strips types takes long to load.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));
