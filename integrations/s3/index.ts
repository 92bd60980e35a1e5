/** S3 integration: a bucket, and a user that alone may use it, per workspace. */

import {
  defineIntegration,
  type Integration,
  type OutputDeclarations,
  type ProviderController,
  type Result,
  Secret,
  secretNameOf,
  secretsRule,
} from '../../sdk/index.ts';
import { type CheckedS3Options, checkedS3Options, type S3BucketOptions } from './options.ts';
import { type BucketId, bucketResource } from './resource.ts';
import type { AccessKey } from './server.ts';
import { asksForBucket, bucketMember, bucketSettingsOf } from './settings.ts';

export type { S3Address } from './address.ts';
export type { S3BucketOptions, S3Users } from './options.ts';
export type { AccessKey, Ask, FoundBucket, FoundUser, S3Server } from './server.ts';

const texts: OutputDeclarations = {
  bucket: { description: 'Name of the bucket.' },
  endpoint: { description: 'Address of the server, such as https://s3.eu-central-1.amazonaws.com.' },
  region: { description: 'Region that requests are signed for.' },
};

const keys: OutputDeclarations = {
  accessKeyId: { description: 'Id of the access key.', secret: true },
  secretAccessKey: { description: 'Secret of the access key.', secret: true },
};

const secretName = ({ workspace, condition }: ProviderController): string => secretNameOf(workspace, condition.type);

/** Keeps the key of all workspaces in a Secret of this one. */
async function shareKey(controller: ProviderController, key: AccessKey): Promise<void> {
  const name = secretName(controller);
  const stringData = { AWS_ACCESS_KEY_ID: key.accessKeyId, AWS_SECRET_ACCESS_KEY: key.secretAccessKey };
  const { data = {} } = await controller.create(Secret, { metadata: { name }, stringData });
  const isSame = Object.entries(stringData).every(([member, text]) => data[member] === btoa(text));
  if (!isSame) await controller.patch(Secret, { name }, { type: 'merge', value: { stringData } });
}

/** Sets the outputs of an up-to-date bucket. */
async function setOutputs(controller: ProviderController, options: CheckedS3Options): Promise<void> {
  const id = controller.refs.at(-1)?.id as Partial<BucketId> | undefined;
  if (controller.condition.status !== 'Completed' || id?.name === undefined) return;
  const keyOf = (key: string) => ({ secretKeyRef: { name: secretName(controller), key } });
  const { address: endpoint, region, hasUsers, sharedKey } = options;
  const secrets = { accessKeyId: keyOf('AWS_ACCESS_KEY_ID'), secretAccessKey: keyOf('AWS_SECRET_ACCESS_KEY') };
  const hasKey = hasUsers || sharedKey !== undefined;
  await controller.setOutputs({ bucket: id.name, endpoint, region, ...(hasKey && secrets) });
}

async function reconcile(controller: ProviderController, options: CheckedS3Options): Promise<Result | void> {
  const settings = bucketSettingsOf(controller.workspace, options);
  if (typeof settings === 'string') return controller.updateCondition('Error', settings);
  if (options.sharedKey !== undefined) await shareKey(controller, options.sharedKey);
  const access = options.hasUsers ? 'own user' : 'no user';
  const result = await controller.ensure(bucketResource(options), { ...settings, access });
  await setOutputs(controller, options);
  return result;
}

/**
 * Keeps an S3 bucket for each workspace with a `spec.integrations['s3-bucket']`, and with `users` an IAM user that alone may use it, whose key is in the
 * Secret `<workspace>-bucket`. Needs the package `@aws-sdk/client-s3`; `users` needs `@aws-sdk/client-iam` too.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function s3Bucket(options: S3BucketOptions): Integration {
  const checked = checkedS3Options(options);
  const hasKey = checked.hasUsers || checked.sharedKey !== undefined;
  const secrets = [options.server.secretAccessKey, checked.sharedKey?.secretAccessKey].filter(
    (secret) => secret !== undefined,
  );
  return defineIntegration({
    name: bucketMember,
    condition: 'Bucket',
    outputs: { ...texts, ...(hasKey && keys) },
    secrets,
    ...(checked.endpoints && { endpoints: checked.endpoints }),
    permissions: hasKey ? [secretsRule] : [],
    limits: checked.limits,
    handles: asksForBucket,
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller, checked),
      terminate: () => controller.destroy(bucketResource(checked)),
    }),
  });
}
