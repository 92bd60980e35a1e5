import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { createMemoryServer } from './a-server.ts';
import { integrationOf, subject } from './subject.ts';

testIntegration(test.serial, {
  ...subject,
  start() {
    const server = createMemoryServer();
    const { roles, databases } = server;
    let spoils = 0;
    return {
      integration: (run) => integrationOf(run, server),
      causeDrift() {
        spoils += 1;
        for (const [name, role] of roles) {
          if (spoils % 2 === 0) roles.set(name, { ...role, canLogin: false, connectionLimit: 100 });
          else databases.delete(name);
        }
      },
      remote: () => [
        ...[...roles].map(([id, { canLogin, connectionLimit }]) => ({
          id,
          what: `role, ${canLogin ? `${connectionLimit} connections` : 'no login'}`,
        })),
        ...[...databases].map(([id, { isPublic, isGranted, hasObjects, template, statementTimeout }]) => ({
          id: `database ${id}`,
          what: `database of ${template}, ${JSON.stringify({ isPublic, isGranted, hasObjects, statementTimeout })}`,
        })),
      ],
    };
  },
});
