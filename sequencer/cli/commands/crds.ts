/** `sequencer crds`: prints the CustomResourceDefinitions. */

import { ClusterIntegrationConfig, IntegrationConfig } from '../../../sdk/host/index.ts';
import { type Kind, Workspace } from '../../../sdk/index.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { yamlOf } from '../manifests/manifest.ts';

/** Kinds of this package. */
const kinds: readonly Kind[] = [Workspace, IntegrationConfig, ClusterIntegrationConfig];

/** Formats CustomResourceDefinitions as YAML, one document each. @default those of this package */
export const crdsYaml = async (of: readonly Kind[] = kinds): Promise<string> =>
  yamlOf((await Promise.all(of.map(({ crd }) => crd?.()))).filter((one) => one !== undefined));

/** `sequencer crds`. */
export const crds: Command = {
  name: 'crds',
  summary: 'print the CustomResourceDefinitions as YAML',
  options: commonOptions,
  examples: [
    ['sequencer crds | kubectl apply -f -', 'install them'],
    ['sequencer crds > crds.yaml', 'keep them'],
  ],
  async run() {
    process.stdout.write(await crdsYaml());
    return 0;
  },
};
