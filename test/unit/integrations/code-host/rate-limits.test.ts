import test from 'ava';
import { withRateLimits } from '../../../../integrations/code-host/rate-limits.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';

for (const [what, status, headers, pause] of [
  ['nothing remains', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225660' }, '60'],
  ['the reset is far away', 429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1999999999' }, '3600'],
  ['the reset is not a number', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'x' }, '60'],
  ['nothing remains and no reset is named', 403, { 'x-ratelimit-remaining': '0' }, '60'],
  ['it asks to wait', 403, { 'retry-after': '7' }, '7'],
] as const)
  test(`a refusal is throttling when ${what}`, async (t) => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const response = await withRateLimits(
      async () => new Response('{}', { status, headers: { ...headers } }),
      clock,
      'x-ratelimit',
    )('https://x.test');
    t.deepEqual([response.status, response.headers.get('retry-after')], [429, pause]);
  });
