import test from 'ava';
import { MockAgent } from 'undici';
import { endpointOf, postReview } from '../../../cluster/webhooks/webhook-client.ts';

test('an error names the address as the webhook does, with all of its characters', async (t) => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const endpoint = endpointOf({ url: 'https://a$&b.test/admit' }, 1);
  const asked = postReview(endpoint, {}, { hasService: () => true, agent });
  await t.throwsAsync(asked, { message: /^Post "https:\/\/a\$&b\.test\/admit\?timeout=1s": / });
});
