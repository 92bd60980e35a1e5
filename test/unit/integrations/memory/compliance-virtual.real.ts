import test from 'ava';
import { createMemoryDatabaseServer, memoryDatabase } from '../../../../integrations/memory/database.ts';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import { testIntegration } from '../../../compliance/index.ts';

const spec = (connectionLimit: number) => ({ integrations: { 'memory-database': { connectionLimit } } });

testIntegration(test.serial, {
  identity: 'name',
  spec: spec(5),
  edited: spec(7),
  sameName: 'separate',
  drift: 'fixed',
  failures: {
    definite: () => new DefiniteError('refused'),
    ambiguous: () => new Error('no answer'),
    throttled: () => new ThrottledError('later', 2_000),
  },
  start() {
    const server = createMemoryDatabaseServer();
    return {
      integration: ({ through }) => memoryDatabase({ server: through(server) }),
      async causeDrift() {
        for (const thing of server.objects())
          await server.update({ ...thing, state: { connectionLimit: 99 } }, { signal: new AbortController().signal });
      },
      remote: () =>
        server.objects().map(({ name, state }) => ({ id: name, what: `${state.connectionLimit} connections` })),
    };
  },
});
