import { test } from 'node:test';
import { httpFailures, testIntegration } from 'workspace-sequencer/test/compliance';
import { startLinkService } from './server.ts';
import { shortLinks } from './short-links.ts';

const token = 'a-token-that-nobody-may-see';
const spec = (slug: string, target: string) => ({ integrations: { 'short-links': { slug, target } } });

testIntegration(test, {
  identity: 'name',
  spec: spec('shop', 'https://example.com/shop'),
  edited: spec('store', 'https://example.com/store'),
  failures: httpFailures,
  secrets: [token],
  sameName: 'exclusive',
  async start() {
    const service = await startLinkService(token);
    return {
      integration: ({ fetch, clock }) => shortLinks({ url: service.url, token, fetch, clock }),
      remote: () => service.links().map(({ id, slug, target }) => ({ id, what: `${slug} to ${target}` })),
      close: () => service.close(),
    };
  },
});
