import test from 'ava';
import { bearsToken, gitLabKeyOf, isSignedDelivery } from '../../../../integrations/gitlab/webhook.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { signedHeaders } from './signed-headers.ts';

const key = Buffer.alloc(32, 7);
const body = Buffer.from('{}');

test('a signing token holds a key of 24 to 64 bytes', (t) => {
  for (const length of [24, 32, 64]) {
    const wanted = Buffer.alloc(length, 7);
    t.deepEqual(gitLabKeyOf(`whsec_${wanted.toString('base64')}`), wanted);
  }
  for (const wrong of [8, 65].map((length) => `whsec_${Buffer.alloc(length).toString('base64')}`))
    t.is(gitLabKeyOf(wrong), undefined);
  for (const wrong of [undefined, 7, '', key.toString('base64'), `whsec_${'!'.repeat(44)}`])
    t.is(gitLabKeyOf(wrong), undefined);
});

test('a signature counts for five minutes, with its id and its time', (t) => {
  const clock = createManualClock();
  const right = signedHeaders(key, '{}', clock.now());
  const isSigned = (headers: Record<string, string | string[]>) => isSignedDelivery({ headers, body }, key, clock);
  t.true(isSigned(right));
  for (const missing of Object.keys(right)) t.false(isSigned({ ...right, [missing]: '' }));
  t.false(isSigned({ ...right, 'webhook-signature': [right['webhook-signature']!, 'v1,x'] }));
  for (const [seconds, isRight] of [
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ] as const)
    t.is(isSigned(signedHeaders(key, '{}', clock.now() + seconds * 1_000)), isRight);
});

test('a request without a token, or with two, bears none', (t) => {
  const bears = (token: string | string[] | undefined) =>
    bearsToken({ headers: { 'x-gitlab-token': token }, body }, 'secret');
  t.deepEqual(['secret', 'secreT', '', undefined, ['secret', 'secret']].map(bears), [true, false, false, false, false]);
});
