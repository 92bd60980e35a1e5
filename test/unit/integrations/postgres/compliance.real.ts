import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { onRealServers } from './on-real-servers.ts';

testIntegration(test.serial, {
  ...onRealServers({ driftInterval: 2_000, deadline: 1_000 }),
  time: 'real',
  cannot: { signal: 'proved in virtual time', forged: 'proved in virtual time' },
});
