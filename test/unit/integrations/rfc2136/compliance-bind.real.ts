import { proveAgainst } from './fixtures/prove-against.ts';

await proveAgainst('bind');
