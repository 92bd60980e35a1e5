/** Workspace that asks for a bucket, at a server in memory. */

import { type S3BucketOptions, s3Bucket } from '../../../../integrations/s3/index.ts';
import { conditionOf, Secret, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { createMemoryServer } from './a-server.ts';
import { server } from './subject.ts';

/** IAM of the server. */
export const users = { endpoint: 'https://iam.example.test' };
const spec = (wish: object) => ({ integrations: { 's3-bucket': wish } });

/** Makes one. */
export async function aBucket(wish: object, options: Partial<S3BucketOptions> = { users }) {
  const [stage, s3] = [await aTargetCluster(), createMemoryServer()];
  const integration = s3Bucket({ server, operations: s3, driftInterval: 60_000, ...options });
  const actor = stage.actor([integration]);
  await stage.create(spec(wish));
  const key = { namespace: 'default', name: 'shop' };
  return {
    ...stage,
    s3,
    actor,
    integration,
    sequencer: stage.actor,
    want: (next: object) => stage.client.patch(Workspace, key, { type: 'merge', value: { spec: spec(next) } }),
    said: async () => {
      const { status, reason } = conditionOf(await stage.read(), 'Bucket');
      return `${status}: ${reason}`;
    },
    secret: async () => {
      const { data = {} } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-bucket' });
      return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, atob(value)]));
    },
    look: async () => {
      await stage.clock.advance(60_000);
      await actor.walk();
    },
  };
}
