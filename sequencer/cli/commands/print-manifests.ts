/** `sequencer manifests`: prints the objects of an operator, or writes a Helm chart of them. */

import {
  type Command,
  classNameOf,
  classOption,
  commonOptions,
  type Invocation,
  portOf,
  ringOf,
  shardsOption,
} from '../args/command.ts';
import { configFileFor, findConfig } from '../args/config.ts';
import { labelSelectorFrom, selectorOption } from '../args/selector.ts';
import { chartOf, type Render } from '../manifests/chart.ts';
import { checkedNamespace, checkPagePort } from '../manifests/check-values.ts';
import { configFileOf, loadConfigFile } from '../manifests/config-file.ts';
import { undeclaredConnections } from '../manifests/egress.ts';
import { yamlOf } from '../manifests/manifest.ts';
import { hasNamespaceToItself } from '../manifests/namespace.ts';
import { writeFiles } from '../scaffold/write-files.ts';
import { crdsYaml } from './crds.ts';
import { type OperatorManifestOptions, operatorManifests } from './operator-manifests.ts';

/** Returns the options derived from the config; the example config is never stored in a ConfigMap. @throws UserError of loading it, E#2013 */
async function configured({ values, flags }: Invocation) {
  const loaded = await loadConfigFile(await configFileFor(values.config));
  const { integrations, tenantIntegrations, runnables } = loaded;
  const isExample = values.config === undefined && (await findConfig(process.cwd())) === undefined;
  const config = isExample || flags.has('config-in-image') ? undefined : await configFileOf(loaded);
  return { integrations, tenantIntegrations, runnables, config };
}

async function optionsOf(invocation: Invocation): Promise<OperatorManifestOptions> {
  const { values, lists, flags } = invocation;
  const { class: className, shards, image = 'sequencer:local' } = values;
  const namespace = checkedNamespace('namespace', values.namespace);
  const page = values.page === undefined ? undefined : portOf('manifests', 'page', values.page);
  if (page !== undefined) checkPagePort(page, values.webhooks !== undefined);
  return {
    ...(await configured(invocation)),
    namespace,
    className: className === undefined ? undefined : classNameOf('manifests', className),
    selector: labelSelectorFrom('manifests', values.selector),
    ring: shards === undefined ? undefined : ringOf('manifests', shards),
    page,
    webhooks: values.webhooks as 'Fail' | 'Ignore' | undefined,
    operatorNamespace: checkedNamespace('operator-namespace', values['operator-namespace']) ?? 'sequencer-system',
    existingNamespace: flags.has('existing-namespace'),
    definitions: namespace === undefined && !flags.has('no-definitions'),
    image,
    credentials: lists.credentials,
    egress: lists.egress,
    monitoring: flags.has('monitoring'),
  };
}

/** Returns the options that are values of a chart. */
const valuesOf = (options: OperatorManifestOptions): Readonly<Record<string, unknown>> => {
  const { image, ring: shards, namespace, className, selector, credentials, monitoring, webhooks, egress } = options;
  const definitions = options.definitions || namespace !== undefined ? undefined : false;
  const replicas = shards === undefined ? undefined : 3;
  return {
    ...{ image, replicas, shards, namespace, class: className, selector, definitions, credentials },
    ...{ monitoring: monitoring || undefined, webhooks, egress },
  };
};

/** `sequencer manifests`. */
export const manifests: Command = {
  name: 'manifests',
  summary: 'print all objects of an operator with this config, or write a Helm chart of them',
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      description: 'config file with the integrations (default: sequencer.config.ts here, else the example)',
    },
    'config-in-image': { type: 'boolean', description: 'the image holds the config in its working directory' },
    credentials: {
      type: 'string',
      value: 'SECRET',
      description: 'whose values are the environment of the config, in the operator’s namespace. Repeatable',
      multiple: true,
    },
    namespace: {
      type: 'string',
      value: 'NAME',
      description: 'only workspaces of this namespace: Roles instead of ClusterRoles, no right on definitions',
    },
    class: classOption,
    selector: selectorOption,
    shards: shardsOption,
    'operator-namespace': {
      type: 'string',
      value: 'NAME',
      description: 'where the operator runs (default: sequencer-system)',
    },
    'existing-namespace': {
      type: 'boolean',
      description: 'other things are in that namespace too: it is neither labelled, nor deleted with the rest',
    },
    image: {
      type: 'string',
      value: 'IMAGE',
      description: 'holds this package and what the config imports (default: sequencer:local)',
    },
    page: { type: 'string', value: 'PORT', description: 'with the page, and the rights that it needs (default: none)' },
    webhooks: {
      type: 'string',
      value: 'Fail|Ignore',
      description:
        'install the webhook that refuses invalid workspaces; while no replica responds, all are refused or admitted (default: no webhook)',
      choices: ['Fail', 'Ignore'],
    },
    egress: {
      type: 'string',
      value: 'IP:PORT',
      description:
        'of the API server: let the operator connect to that, DNS and what the integrations connect to. Repeatable',
      multiple: true,
    },
    'no-definitions': {
      type: 'boolean',
      description: 'an administrator installs the CustomResourceDefinition: no right on it',
    },
    monitoring: {
      type: 'boolean',
      description: 'a ServiceMonitor and a PrometheusRule too: the definitions of the Prometheus Operator are there',
    },
    chart: { type: 'string', value: 'FOLDER', description: 'write a Helm chart there, whose values are these options' },
    ...commonOptions,
  },
  examples: [
    ['sequencer manifests | kubectl apply -f -', 'all of it'],
    ['sequencer manifests --credentials acme', 'with the values of the Secret acme as environment'],
    ['sequencer manifests --namespace team-a', 'for one team; `sequencer crds` prints what an administrator applies'],
    ['sequencer manifests --operator-namespace tools --existing-namespace', 'in a namespace that other things use too'],
    ['sequencer manifests --chart chart', 'then helm install sequencer chart -n sequencer-system --create-namespace'],
  ],
  async run(invocation) {
    const { chart } = invocation.values;
    const options = await optionsOf(invocation);
    const undeclared = undeclaredConnections(options);
    if (undeclared.length > 0 && options.egress !== undefined)
      process.stderr.write(
        `--egress: these connect to undeclared addresses, and need a NetworkPolicy of their own: ${undeclared.join(', ')}\n`,
      );
    const objects = operatorManifests(options);
    if (chart === undefined) {
      if (!options.existingNamespace && !hasNamespaceToItself(options))
        process.stderr.write(
          `namespace ${options.operatorNamespace} is left as it is: the operator does not have it to itself\n`,
        );
      process.stdout.write(await yamlOf(objects));
      return 0;
    }
    const render: Render = (more) => operatorManifests({ ...options, ...more });
    const files = await chartOf(render, { definitions: await crdsYaml(), undeclared, values: valuesOf(options) });
    await writeFiles(chart, files);
    process.stderr.write(`wrote ${files.length} files to ${chart}\n`);
    return 0;
  },
};
