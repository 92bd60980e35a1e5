/** `sequencer crds`: prints the CustomResourceDefinitions. */

import { Workspace } from '../../../sdk/index.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { yamlOf } from '../manifests/manifest.ts';

/** Formats the CustomResourceDefinitions of this package as YAML, one document each. */
export const crdsYaml = async (): Promise<string> =>
  yamlOf([await Workspace.crd?.()].filter((one) => one !== undefined));

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
