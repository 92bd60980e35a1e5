import test from 'ava';
import { httpFailures, testIntegration } from '../../../compliance/index.ts';
import { AcmeServerInMemory } from './fixtures/a-server.ts';
import { integrationOf, publishedAtOnce, subject } from './fixtures/subject.ts';

/** Reset connections and 500: all others are errors of the same classes by the time that they come to the integration, as `http-api.test.ts` shows. */
const ambiguous = [httpFailures.ambiguous].flat().slice(0, 2) as NonNullable<typeof httpFailures.ambiguous>;

testIntegration(test, {
  ...subject,
  failures: { ...httpFailures, ambiguous },
  start({ clock, client }) {
    const dns = publishedAtOnce(client);
    const server = new AcmeServerInMemory({ clock, texts: (name) => dns.texts(name, new AbortController().signal) });
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, { dns }),
      causeDrift: () => server.revokeAll(),
      remote: () =>
        server.valid().map(({ names, id }) => ({ what: `certificate of ${[...names].sort().join(', ')}`, id })),
    };
  },
});
