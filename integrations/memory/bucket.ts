/** In-memory object store for demonstrations, with the condition and outputs of `s3Bucket`. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { defineIntegration, type Integration, refuseUnknown, secretNameOf, secretsRule } from '../../sdk/index.ts';
import { checkMemoryStore, createMemoryStore, type MemoryStore, memoryResource } from './store.ts';

/** Bucket of a workspace. */
export interface MemoryBucket {
  readonly versioning: boolean;
}

/** Buckets in a Map, without a server. */
export type MemoryBucketServer = MemoryStore<MemoryBucket>;

/** Creates a server without buckets. */
export const createMemoryBucketServer = (): MemoryBucketServer => createMemoryStore<MemoryBucket>();

/** Options of {@link memoryBucket}. */
export interface MemoryBucketOptions {
  /** @default a new one */
  readonly server?: MemoryBucketServer;
}

const member = 'memory-bucket';
const endpoint = 'https://bucket.memory.invalid';

/** Keeps a bucket for each workspace with a `spec.integrations['memory-bucket']`; its access key is in the Secret `<workspace>-bucket`. */
export function memoryBucket(options: MemoryBucketOptions = {}): Integration {
  refuseUnknown('memoryBucket', options, ['server']);
  const { server = createMemoryBucketServer() } = options;
  checkMemoryStore('memoryBucket', server);
  const bucket = memoryResource({
    label: 'bucket',
    prefix: 'ws-',
    store: server,
    secretFor: () => ({
      AWS_ACCESS_KEY_ID: `MEMORY${randomBytes(7).toString('hex').toUpperCase()}`,
      AWS_SECRET_ACCESS_KEY: randomBytes(30).toString('base64url'),
    }),
  });
  return defineIntegration({
    name: member,
    endpoints: [],
    condition: 'Bucket',
    settings: z.strictObject({ versioning: z.boolean().default(false) }),
    outputs: {
      bucket: { description: 'Name of the bucket.' },
      endpoint: { description: 'Address of the server.' },
      region: { description: 'Region that requests are signed for.' },
      accessKeyId: { description: 'Id of the access key.', secret: true },
      secretAccessKey: { description: 'Secret of the access key.', secret: true },
    },
    permissions: [secretsRule],
    handles: ({ spec }) => spec.integrations?.[member] !== undefined,
    connect: ({ workspace, controller }) => ({
      async reconcile(wanted) {
        const result = await controller.ensure(bucket, wanted);
        const id = controller.refs.at(-1)?.id as { readonly name?: string } | undefined;
        if (controller.condition.status !== 'Completed' || id?.name === undefined) return result;
        const keyOf = (key: string) => ({
          secretKeyRef: { name: secretNameOf(workspace, controller.condition.type), key },
        });
        const secrets = { accessKeyId: keyOf('AWS_ACCESS_KEY_ID'), secretAccessKey: keyOf('AWS_SECRET_ACCESS_KEY') };
        await controller.setOutputs({ bucket: id.name, endpoint, region: 'memory', ...secrets });
        return result;
      },
      terminate: () => controller.destroy(bucket),
    }),
  });
}
