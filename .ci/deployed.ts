/** Files of the folder `deploy`: outputs of `sequencer manifests` for the config in it, for kubectl, kustomize and Helm. */

import { join } from 'node:path';
import { stringify } from 'yaml';
import { ClusterIntegrationConfig, IntegrationConfig } from '../sdk/host/index.ts';
import { Workspace } from '../sdk/index.ts';
import { crdsYaml } from '../sequencer/cli/commands/crds.ts';
import { type OperatorManifestOptions, operatorManifests } from '../sequencer/cli/commands/operator-manifests.ts';
import { chartOf } from '../sequencer/cli/manifests/chart.ts';
import { configFileOf, loadConfigFile } from '../sequencer/cli/manifests/config-file.ts';
import { undeclaredConnections } from '../sequencer/cli/manifests/egress.ts';
import { yamlOf } from '../sequencer/cli/manifests/manifest.ts';
import type { NewFile } from '../sequencer/cli/scaffold/write-files.ts';
import { dashboard } from './dashboard.ts';
import { overlayOf } from './overlay.ts';

const about = `# What \`sequencer manifests --config deploy/sequencer.config.js\` prints: for your config it may need more, or less.
# The image holds Node >= 22.20 and this package in /app, as Containerfile makes it.
# Two replicas, of which one works: the other takes over when that one ends.
`;

const aboutOneNamespace = `# Only workspaces of the namespace team-a: what \`sequencer manifests --namespace team-a\` prints, as changes of the base.
# An administrator applies the definition (crds), which this operator may not change.
`;

const aboutSharded = `# Replicas that share the workspaces: what \`sequencer manifests --shards sequencer\` prints, as changes of the base.
# Change \`replicas\` as you like; for the ring another name, change --shards and the rule that names it.
`;

const monitored = new Set(['ServiceMonitor', 'PrometheusRule']);

/** Returns the options of `sequencer manifests` that the files of `deploy` are made with. */
export async function deployedOptions(): Promise<OperatorManifestOptions> {
  const loaded = await loadConfigFile(join(import.meta.dirname, '../deploy/sequencer.config.js'));
  const { integrations, runnables } = loaded;
  const config = await configFileOf(loaded);
  const image = 'sequencer:local';
  return { integrations, runnables, config, operatorNamespace: 'sequencer-system', definitions: true, image };
}

function kustomization(fields: object, comment = ''): string {
  const { kind = 'Kustomization', ...rest } = fields as { readonly kind?: string };
  const apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`;
  return comment + stringify({ apiVersion, kind, ...rest }, { lineWidth: 0 });
}

/** Returns the patches of a kustomization, each as the text that it wants. */
const patchTexts = (patches: readonly object[]): readonly object[] =>
  patches.map((one) => ({ ...one, patch: stringify((one as { readonly patch: unknown }).patch, { lineWidth: 0 }) }));

/** Renders the files, by their paths below `deploy`. */
export async function deployed(): Promise<readonly NewFile[]> {
  const options = await deployedOptions();
  const base = operatorManifests(options);
  const one = overlayOf(base, operatorManifests({ ...options, namespace: 'team-a', definitions: false }));
  const sharded = overlayOf(base, operatorManifests({ ...options, ring: 'sequencer' }));
  const monitoring = operatorManifests({ ...options, monitoring: true }).filter(({ kind }) => monitored.has(kind));
  const crds = await crdsYaml();
  const chart = await chartOf((more) => operatorManifests({ ...options, ...more }), {
    definitions: crds,
    undeclared: undeclaredConnections(options),
  });
  const overlay = { resources: ['../../base', 'roles.yaml'], patches: patchTexts(one.patches) };
  const shards = { resources: ['../../base', 'roles.yaml'], patches: patchTexts(sharded.patches) };
  return [
    { path: 'crds/workspace.yaml', content: await crdsYaml([Workspace]) },
    { path: 'crds/integration-configs.yaml', content: await crdsYaml([IntegrationConfig, ClusterIntegrationConfig]) },
    {
      path: 'crds/kustomization.yaml',
      content: kustomization({ resources: ['workspace.yaml', 'integration-configs.yaml'] }),
    },
    { path: 'base/sequencer.yaml', content: about + (await yamlOf(base)) },
    { path: 'base/kustomization.yaml', content: kustomization({ resources: ['../crds', 'sequencer.yaml'] }) },
    { path: 'overlays/one-namespace/roles.yaml', content: await yamlOf(one.objects) },
    { path: 'overlays/one-namespace/kustomization.yaml', content: kustomization(overlay, aboutOneNamespace) },
    { path: 'overlays/sharded/roles.yaml', content: await yamlOf(sharded.objects) },
    { path: 'overlays/sharded/kustomization.yaml', content: kustomization(shards, aboutSharded) },
    { path: 'monitoring/monitoring.yaml', content: await yamlOf(monitoring) },
    {
      path: 'monitoring/kustomization.yaml',
      content: kustomization({ kind: 'Component', resources: ['monitoring.yaml'] }),
    },
    { path: 'monitoring/dashboard.json', content: dashboard() },
    ...chart.map(({ path, content }) => ({ path: `chart/${path}`, content })),
  ];
}
