import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { onRealServers, swept } from './on-real-servers.ts';

testIntegration(test.serial, {
  ...onRealServers({ driftInterval: 2_000, deadline: 1_000 }),
  time: 'real',
  cannot: Object.fromEntries(swept.map((name) => [name, 'proved in virtual time'])),
});
