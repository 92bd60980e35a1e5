/** The resource of an integration in a second process. */

import { conditionOf, type ExternalResource, type ProviderController, type Ref } from '../../../sdk/index.ts';
import type { Scenario } from '../scenario/scenario.ts';

type AnyResource = ExternalResource<object, Ref>;

const nothing = async (): Promise<object> => ({});

/** Returns a controller that changes nothing, and reports the resources that `ensure` is called with. */
function idleController(
  scenario: Scenario,
  workspace: ProviderController['workspace'],
  found: (one: AnyResource) => void,
) {
  const { client, namespace } = scenario.environment;
  const silent = ['updateCondition', 'setOutputs', 'update', 'setFinalizer', 'removeFinalizer', 'guard', 'destroy'];
  return {
    ...Object.fromEntries(silent.map((name) => [name, nothing])),
    workspace,
    condition: conditionOf(workspace, scenario.conditionType),
    namespace,
    refs: [],
    signal: new AbortController().signal,
    policy: 'manage',
    formerUids: [],
    event: () => undefined,
    owned: async () => [],
    get: client.get,
    list: client.list,
    ensure: async (resource: AnyResource) => {
      found(resource);
      return {};
    },
  } as unknown as ProviderController;
}

/** Creates the integration again, as another process does. @returns its resource of that label; undefined where its reconcile fails with an idle controller */
export async function resourceOfOtherProcess(scenario: Scenario, label: string): Promise<AnyResource | undefined> {
  const integration = scenario.integration();
  const workspace = await scenario.read();
  if (workspace === undefined) return undefined;
  let resource: AnyResource | undefined;
  const controller = idleController(scenario, workspace, (one) => {
    if (one.label === label) resource = one;
  });
  const wanted = workspace.spec.integrations?.[integration.name];
  try {
    const provider = await integration.connect({ workspace, controller });
    await provider.reconcile(integration.settings?.parse(wanted));
  } catch {
    return undefined;
  }
  return resource;
}
