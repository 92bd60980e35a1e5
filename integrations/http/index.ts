/** Integration for servers in any language: functions as signed POSTs of JSON. */

import {
  defineIntegration,
  type Integration,
  outputReferences,
  type ProviderController,
  secretsRule,
} from '../../sdk/index.ts';
import { clientOf } from './client.ts';
import { checkedHooksOptions, type HttpHooksOptions } from './options.ts';
import { outputsOf } from './outputs.ts';
import { hookResource } from './resource.ts';
import { asksForHook, settingsReader } from './settings.ts';

export { fetchWithCa } from '../fetch-with-ca.ts';
export { HookMissingError, type HooksArguments, type HooksClient, hooksClient } from './client.ts';
export type { HookFunction, HooksClientOptions, HttpHooksOptions } from './options.ts';
export { type HooksAnswers, type HooksDescription, hooksProtocol } from './protocol.ts';

/**
 * Manages one external object, or several named ones, for each workspace with a `spec.integrations.<name>`, by a server in any language that responds
 * to signed POSTs of JSON; the guard runs in this process. The protocol is in `workspace-sequencer/integrations/http/hooks.schema.json`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function httpHooks(options: HttpHooksOptions): Integration {
  const checked = checkedHooksOptions(options);
  const { name, condition, after, outputs, limits, secrets, functions } = checked;
  const resource = hookResource(clientOf(checked), checked);
  const settingsIn = settingsReader(checked);
  const reconcile = async (controller: ProviderController) => {
    const wanted = await settingsIn(controller.workspace);
    if (typeof wanted === 'string') return controller.updateCondition('Error', wanted);
    const result = await controller.ensure(resource, wanted);
    if (controller.condition.status === 'Completed') await controller.setOutputs(outputsOf(outputs, controller));
    return result;
  };
  return defineIntegration({
    name,
    condition,
    after,
    outputs,
    secrets,
    limits,
    endpoints: [checked.url],
    ...(functions.includes('secretOf') && { permissions: [secretsRule] }),
    references: ({ spec }) => outputReferences(spec.integrations?.[name]),
    handles: (workspace) => asksForHook(name, workspace),
    connect: ({ controller }) => ({
      reconcile: () => reconcile(controller),
      terminate: () => controller.destroy(resource),
    }),
  });
}
