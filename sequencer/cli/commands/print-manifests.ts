/** `sequencer manifests`: prints the objects of an operator. */

import {
  type Command,
  classNameOf,
  classOption,
  commonOptions,
  portOf,
  ringOf,
  shardsOption,
} from '../args/command.ts';
import { configFileFor, loadConfig, loadRunnables } from '../args/config.ts';
import { operatorManifests } from './operator-manifests.ts';

/** Formats objects as YAML, one document each. */
export async function yamlOf(objects: readonly object[]): Promise<string> {
  const { stringify } = await import('yaml');
  return objects.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join('');
}

/** `sequencer manifests`. */
export const manifests: Command = {
  name: 'manifests',
  summary: 'print what an operator with this config needs: its roles, its Deployment, its admission policy',
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      description: 'which integrations (default: sequencer.config.ts here, else the example)',
    },
    namespace: {
      type: 'string',
      value: 'NAME',
      description: 'only workspaces of this namespace: Roles instead of ClusterRoles, no right on definitions',
    },
    class: classOption,
    selector: { type: 'string', value: 'LABELS', description: 'only workspaces with these labels (default: all)' },
    shards: shardsOption,
    'operator-namespace': {
      type: 'string',
      value: 'NAME',
      description: 'where the operator runs (default: sequencer-system)',
    },
    image: {
      type: 'string',
      value: 'IMAGE',
      description: 'holds this package and your config in its working directory (default: sequencer:local)',
    },
    page: { type: 'string', value: 'PORT', description: 'with the page, and the rights that it needs (default: none)' },
    'no-definitions': {
      type: 'boolean',
      description: 'somebody else installs the CustomResourceDefinition: no right on it',
    },
    ...commonOptions,
  },
  examples: [
    ['sequencer manifests | kubectl apply -f -', 'all of it'],
    ['sequencer manifests --namespace team-a', 'for one team; `sequencer crds` prints what an administrator applies'],
  ],
  async run({ values, flags }) {
    const {
      config,
      namespace,
      class: className,
      selector,
      shards,
      image = 'sequencer:local',
      'operator-namespace': operatorNamespace,
    } = values;
    const file = await configFileFor(config);
    const objects = operatorManifests({
      integrations: await loadConfig(file),
      runnables: await loadRunnables(file),
      namespace,
      className: className === undefined ? undefined : classNameOf('manifests', className),
      selector,
      ring: shards === undefined ? undefined : ringOf('manifests', shards),
      operatorNamespace: operatorNamespace ?? 'sequencer-system',
      definitions: namespace === undefined && !flags.has('no-definitions'),
      image,
      page: values.page === undefined ? undefined : portOf('manifests', 'page', values.page),
    });
    process.stdout.write(await yamlOf(objects));
    return 0;
  },
};
