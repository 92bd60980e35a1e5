/** `sequencer crds`: prints the CustomResourceDefinitions. */

import { ClusterIntegrationConfig, IntegrationConfig, releaseAnnotation } from '../../../sdk/host/index.ts';
import { type CustomResourceDefinition, type Kind, Workspace } from '../../../sdk/index.ts';
import { packageVersion } from '../../run/package-version.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { yamlOf } from '../manifests/manifest.ts';

/** Kinds of this package. */
const kinds: readonly Kind[] = [Workspace, IntegrationConfig, ClusterIntegrationConfig];

/** Returns a definition with its release, which prevents an older operator from replacing it. */
const withRelease = ({ metadata, ...definition }: CustomResourceDefinition): CustomResourceDefinition => ({
  ...definition,
  metadata: { ...metadata, annotations: { ...metadata.annotations, [releaseAnnotation]: packageVersion() } },
});

/** Formats CustomResourceDefinitions as YAML, one document each, with their release. @default those of this package */
export async function crdsYaml(of: readonly Kind[] = kinds): Promise<string> {
  const definitions = await Promise.all(of.map(({ crd }) => crd?.()));
  return yamlOf(definitions.filter((one) => one !== undefined).map(withRelease));
}

/** `sequencer crds`. */
export const crds: Command = {
  name: 'crds',
  summary: 'print the CustomResourceDefinitions as YAML',
  options: commonOptions,
  examples: [
    ['sequencer crds | kubectl apply -f -', 'install them'],
    ['sequencer crds > crds.yaml', 'write them to a file'],
  ],
  async run() {
    process.stdout.write(await crdsYaml());
    return 0;
  },
};
