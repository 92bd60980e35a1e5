import { proveIn } from './prove-in.ts';

await proveIn('Go');
