import test from 'ava';
import { testIntegration } from '../../compliance/index.ts';
import { AcmeServerInMemory } from './a-server.ts';
import { integrationOf, publishedAtOnce, subject } from './subject.ts';

testIntegration(test, {
  ...subject,
  start({ clock, client }) {
    const dns = publishedAtOnce(client);
    const server = new AcmeServerInMemory({ clock, texts: (name) => dns.texts(name, new AbortController().signal) });
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, dns),
      spoil: () => server.revokeAll(),
      remote: () =>
        server.valid().map(({ names, id }) => ({ what: `certificate of ${[...names].sort().join(', ')}`, id })),
    };
  },
});
