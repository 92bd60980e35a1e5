import test from 'ava';
import { createMetrics } from '../../../../sdk/metrics/index.ts';

test('reviews of webhooks are counted by status and outcome, and timed', async (t) => {
  const metrics = createMetrics();
  const webhook = '/validate/sites.example.com';
  metrics.observer.reviewed({ webhook, status: 200, outcome: 'denied', took: 30 });
  metrics.observer.reviewed({ webhook, status: 500, outcome: 'late', took: 9500 });
  const lines = (await metrics.text()).split('\n');
  for (const line of [
    `controller_runtime_webhook_requests_total{webhook="${webhook}",code="200"} 1`,
    `controller_runtime_webhook_requests_total{webhook="${webhook}",code="500"} 1`,
    `webhook_reviews_total{webhook="${webhook}",outcome="denied"} 1`,
    `webhook_reviews_total{webhook="${webhook}",outcome="late"} 1`,
    `controller_runtime_webhook_latency_seconds_sum{webhook="${webhook}"} 9.53`,
  ])
    t.true(lines.includes(line), line);
});
