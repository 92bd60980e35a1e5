import { runTogether } from '../together.ts';

runTogether(import.meta.filename);
