import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { createMemoryCaddy, spoilt, thingsOf } from './a-server.ts';
import { integrationOf, subject } from './subject.ts';

let spoils = 0;

testIntegration(test.serial, {
  ...subject,
  start() {
    const server = createMemoryCaddy();
    return {
      integration: (run) => integrationOf(run, server),
      causeDrift() {
        server.routes = spoilt(server.routes ?? [], spoils);
        spoils += 1;
      },
      remote: () => thingsOf(server.routes),
    };
  },
});
