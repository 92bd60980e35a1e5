import { test } from 'node:test';
import { httpFailures, testIntegration } from 'workspace-sequencer/test/compliance';
import { acmeBox } from './acme-box.ts';
import { createAcmeBoxStandIn } from './acme-box-stand-in.ts';

const token = 'a-token-that-must-not-show';
const spec = (text: string) => ({ integrations: { 'acme-box': { text } } });

testIntegration(test, {
  identity: 'tag',
  spec: spec('hello'),
  edited: spec('good day'),
  failures: httpFailures,
  secrets: [token],
  sameName: 'separate',
  drift: 'fixed',
  start() {
    const standIn = createAcmeBoxStandIn();
    return {
      fetch: standIn.fetch,
      integration: ({ fetch, clock }) => acmeBox({ url: 'https://acme-box.example', token, fetch, clock }),
      remote: () => standIn.objects().map(({ id, text }) => ({ id, what: `object with ${text}` })),
      causeDrift: standIn.causeDrift,
    };
  },
});
