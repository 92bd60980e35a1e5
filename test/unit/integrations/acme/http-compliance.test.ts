import test from 'ava';
import { httpFailures, testIntegration } from '../../../compliance/index.ts';
import { AcmeServerInMemory } from './fixtures/a-server.ts';
import { byHttp, integrationOf, respondersOf, servedAtOnce, spec, subject } from './fixtures/subject.ts';

/** Reset connections: the rest is as with `compliance.test.ts`. */
const ambiguous = [httpFailures.ambiguous].flat().slice(0, 1) as NonNullable<typeof httpFailures.ambiguous>;

const alike = 'proved in compliance.test.ts: the proof has no part in it';

testIntegration(test, {
  ...subject,
  cannot: Object.fromEntries(
    (
      [
        'reports',
        'definite',
        'throttled',
        'signal',
        'fixes',
        'memory',
        'copied',
        'forged',
        'covers',
        'secrets',
      ] as const
    ).map((name) => [name, alike]),
  ),
  edited: spec(['shop', 'api.shop']),
  failures: { ...httpFailures, ambiguous },
  start({ clock, client }) {
    const routes = servedAtOnce(client);
    const { signal } = new AbortController();
    const server = new AcmeServerInMemory({
      ...{ clock, texts: () => [] },
      answers: (host, path) => routes.read({ host, path }, signal),
    });
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, byHttp(routes)),
      causeDrift: () => server.revokeAll(),
      async remote() {
        return [
          ...server.valid().map(({ names, id }) => ({ what: `certificate of ${[...names].sort().join(', ')}`, id })),
          ...(await respondersOf(client)).map((name) => `responder ${name}`),
        ];
      },
    };
  },
});
