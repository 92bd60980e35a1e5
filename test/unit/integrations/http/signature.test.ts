import test from 'ava';
import { signedHeaders, signingKeyOf } from '../../../../integrations/http/signature.ts';

// The example of https://github.com/standard-webhooks/standard-webhooks, of which its libraries make the same signature.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', now: 1_614_265_330_000, body: '{"test": 2432232314}' };

test('a message is signed as Standard Webhooks says', (t) => {
  t.deepEqual(signedHeaders([signingKeyOf(secret)!], message), {
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('with two keys there are two signatures, and a server may know either', (t) => {
  const [one, two] = [signingKeyOf(secret)!, Buffer.alloc(32, 7)];
  const both = signedHeaders([one, two], message)['webhook-signature'];
  t.is(
    both,
    `${signedHeaders([one], message)['webhook-signature']} ${signedHeaders([two], message)['webhook-signature']}`,
  );
});

for (const wrong of [
  '',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_short',
  `whsec_${'A'.repeat(100)}`,
  'whsec_!!!',
  undefined,
])
  test(`${JSON.stringify(wrong)?.slice(0, 20)} is no secret`, (t) => t.is(signingKeyOf(wrong), undefined));
