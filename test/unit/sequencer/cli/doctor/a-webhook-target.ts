import type { ExecutionContext } from 'ava';
import { createClient, ensureCrds, type KubeObject, type Observer, Workspace } from '../../../../../sdk/index.ts';
import { type WebhookCheckTarget, webhookFindings } from '../../../../../sequencer/cli/doctor/webhook.ts';
import { createCluster } from '../../../../cluster/index.ts';

/** Cluster that a webhook may be installed in, and what the doctor finds of it. */
export async function aWebhookTarget(t: ExecutionContext) {
  const cluster = await createCluster();
  let warnings: string[] = [];
  const observer: Observer = {
    async request(_, work) {
      const answer = await work();
      warnings.push(String(answer.headers.warning ?? ''));
      return answer;
    },
  };
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, observer });
  t.teardown(async () => {
    await client.close();
    await cluster.close();
  });
  await ensureCrds(client, [Workspace]);
  const target: WebhookCheckTarget = {
    ...{ client, signal: new AbortController().signal, namespace: undefined, operatorNamespace: 'default' },
    ...{ isOperator: false, isServed: false, now: Date.now(), warnings: () => warnings, kinds: [Workspace] },
  };
  const all = async (more: Partial<WebhookCheckTarget> = {}) => {
    warnings = [];
    const findings = await webhookFindings({ ...target, ...more });
    return findings.map(({ status, detail }) => `${status}: ${detail}`);
  };
  return {
    client,
    cluster,
    apply: (configuration: object) => cluster.apply(configuration as KubeObject),
    async found(more: Partial<WebhookCheckTarget> = {}) {
      warnings = [];
      const [first, ...others] = await all(more);
      t.deepEqual(others, []);
      return first!;
    },
    all,
  };
}
