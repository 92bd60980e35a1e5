import { Workspace } from '../../sdk/index.ts';
import { type Command, commonOptions } from './command.ts';

/** The CustomResourceDefinitions of this product as YAML, one document each. */
export async function crdsYaml(): Promise<string> {
  const { stringify } = await import('yaml');
  return `---\n${stringify(await Workspace.crd?.(), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

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
