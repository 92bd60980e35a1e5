import test from 'ava';
import { createMemoryCaddy } from './a-server.ts';
import { expectCaddy } from './contract.ts';

test('the server in memory behaves as the real one does', (t) => expectCaddy(t, createMemoryCaddy()));
