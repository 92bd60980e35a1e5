import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { caseNames } from '../../../compliance/subject/case-names.ts';
import { onRealServers, swept } from './on-real-servers.ts';

const others = caseNames.filter((name) => !swept.some((one) => one === name));

testIntegration(test.serial, {
  ...onRealServers({ driftInterval: 60_000, deadline: 15_000 }),
  cannot: Object.fromEntries(others.map((name) => [name, 'proved in real time'])),
});
