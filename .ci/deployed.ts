import { components } from '../integrations/components/index.ts';
import { operatorManifests } from '../sequencer/cli/commands/operator-manifests.ts';
import { yamlOf } from '../sequencer/cli/commands/print-manifests.ts';

const about = `# What \`sequencer manifests\` prints for a config with the integration \`components\`: for yours it may need more, or less.
# The image holds Node >= 22.20, this package and a sequencer.config.js in its working directory (\`npm install workspace-sequencer\`).
# Two replicas, of which one works: the other takes over when that one ends.
`;

/** Renders deploy/sequencer.yaml. */
export const deployed = async (): Promise<string> =>
  about +
  (await yamlOf(
    operatorManifests({
      integrations: [components()],
      operatorNamespace: 'sequencer-system',
      definitions: true,
      image: 'sequencer:local',
    }),
  ));
