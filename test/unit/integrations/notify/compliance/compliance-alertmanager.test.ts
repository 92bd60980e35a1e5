import test from 'ava';
import { testIntegration } from '../../../../compliance/index.ts';
import { activeSilences, alertmanagerStandIn } from '../fixtures/alertmanager-stand-in.ts';
import { integrationOf, subject, token } from '../fixtures/alertmanager-subject.ts';

let spoils = 0;

testIntegration(test.serial, {
  ...subject,
  start({ clock }) {
    const server = alertmanagerStandIn(clock, `Bearer ${token}`);
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, { token }),
      causeDrift() {
        spoils += 1;
        if (spoils % 2 === 0) server.clear();
        else for (const { id } of server.silences()) server.expire(id);
      },
      remote: () => activeSilences(server.silences()),
    };
  },
});
