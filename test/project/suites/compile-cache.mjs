import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import './relative-sources.mjs';

const folder = join(import.meta.dirname, '../../../node_modules/.cache/compile');

// Every worker loads the same sources: stripped of types and compiled once is enough.
// Loaded before AVA itself, so that its modules are kept too; plain JavaScript, since what strips types takes long to load.
enableCompileCache(folder);

// The same for the processes that tests start.
process.env.NODE_COMPILE_CACHE = folder;
process.env.NODE_OPTIONS = `--import=${import.meta.resolve('./relative-sources.mjs')} ${process.env.NODE_OPTIONS ?? ''}`;
