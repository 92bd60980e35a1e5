/** Options that an operator runs with, read from its Deployment. */

import { type Client, Deployment, type ObjectKey } from '../../../sdk/index.ts';

/** Options of `sequencer run` that decide about rights. */
export interface RunningOptions {
  /** Ring of its shards. @default leader election */
  readonly ring?: string;
  readonly page: boolean;
  readonly webhooks: boolean;
}

const defaults: RunningOptions = { page: false, webhooks: false };

/** Reads the options of an operator's containers; the usual ones where the Deployment is not there, or may not be read. */
export async function runningOptions(client: Client, key: ObjectKey, signal: AbortSignal): Promise<RunningOptions> {
  const found = await client.get(Deployment, key, { signal }).catch(() => undefined);
  if (found === undefined) return defaults;
  const args = (found.spec?.template.spec?.containers ?? []).flatMap((container) => container.args ?? []);
  const valueOfOption = (option: string): string | undefined => {
    const index = args.findIndex((argument) => argument === option || argument.startsWith(`${option}=`));
    if (index === -1) return undefined;
    return args[index] === option ? (args[index + 1] ?? '') : args[index]!.slice(option.length + 1);
  };
  const ring = valueOfOption('--shards');
  return {
    ...(ring !== undefined && { ring }),
    page: valueOfOption('--page') !== undefined,
    webhooks: valueOfOption('--webhook-port') !== undefined,
  };
}
