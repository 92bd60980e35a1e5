import { proveAgainst } from './prove-against.ts';

await proveAgainst('bind');
