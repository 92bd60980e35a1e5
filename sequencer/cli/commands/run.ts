/** The command `sequencer run`: runs the operator. */

import { createInterrupt, defined } from '../../../sdk/host/index.ts';
import { aborted, SecretRegistry } from '../../../sdk/index.ts';
import { runSequencer } from '../../run/run.ts';
import {
  type Command,
  classNameOf,
  classOption,
  collectorOf,
  commonOptions,
  contextOption,
  countOf,
  durationOf,
  logFormatOption,
  portOf,
  ringOf,
  shardsOption,
} from '../args/command.ts';
import { loadOperatorConfig, requireConfig } from '../args/config.ts';
import { orphansOf } from '../args/orphans.ts';
import { labelSelectorFrom, selectorOption } from '../args/selector.ts';
import { createLogger, sinkOf } from '../output/log.ts';
import { logUnhandledRejections } from '../process/unhandled-rejections.ts';

/** Options that are ports, with their purpose. */
const ports = {
  healthPort: 'health-port',
  metricsPort: 'metrics-port',
  pagePort: 'page',
  webhookPort: 'webhook-port',
} as const;

const portsOf = (values: Readonly<Record<string, string | undefined>>): Partial<Record<keyof typeof ports, number>> =>
  Object.fromEntries(
    Object.entries(ports)
      .filter(([, option]) => values[option] !== undefined)
      .map(([name, option]) => [name, portOf('run', option, values[option]!)]),
  );

/** `sequencer run`. */
export const run: Command = {
  name: 'run',
  summary: 'run the sequencer as an operator, until a signal',
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      description: 'config file with the integrations (default: sequencer.config.ts or .js here)',
    },
    kubeconfig: {
      type: 'string',
      value: 'FILE',
      description: 'kubeconfig of the cluster (default: KUBECONFIG, ~/.kube/config, or the one that this pod is in)',
    },
    context: contextOption,
    namespace: { type: 'string', value: 'NAME', description: 'only workspaces of this namespace (default: all)' },
    class: classOption,
    selector: selectorOption,
    workers: { type: 'string', value: 'N', description: 'number of concurrent walks (default: 10)' },
    'health-port': {
      type: 'string',
      value: 'PORT',
      description: 'serve /livez and /readyz on this port (default: off)',
    },
    'metrics-port': {
      type: 'string',
      value: 'PORT',
      description: 'serve /metrics, /livez and /readyz on this port; may be the health port (default: off)',
    },
    'health-host': {
      type: 'string',
      value: 'ADDRESS',
      description: 'address of both ports (default: all addresses in a pod, 127.0.0.1 elsewhere)',
    },
    otlp: {
      type: 'string',
      value: 'URL',
      description:
        'send traces to this OpenTelemetry collector, such as http://collector:4318; headers from OTEL_EXPORTER_OTLP_HEADERS (default: off)',
    },
    page: { type: 'string', value: 'PORT', description: 'serve the page on this port, read-only (default: off)' },
    'page-host': {
      type: 'string',
      value: 'ADDRESS',
      description: 'address of the page (default: 127.0.0.1, which kubectl port-forward reaches)',
    },
    'webhook-port': {
      type: 'string',
      value: 'PORT',
      description: 'serve the webhook that refuses invalid workspaces on this port (default: off)',
    },
    'leader-elect': {
      type: 'boolean',
      description: 'walk only while this process holds the Lease "sequencer" ("sequencer-CLASS"), for several replicas',
    },
    shards: shardsOption,
    orphan: {
      type: 'string',
      value: 'NAME',
      description:
        'release the claims of an integration that is no longer in the config; its external objects stay. Repeatable',
      multiple: true,
    },
    drain: {
      type: 'string',
      value: 'DURATION',
      description:
        'time for running attempts to finish after a signal (default: 10s); less than a node’s shutdown grace period',
    },
    'log-format': logFormatOption,
    ...commonOptions,
  },
  examples: [
    ['sequencer run', 'with sequencer.config.ts of this folder'],
    ['sequencer run --config my.config.js --namespace team-a', 'for one team'],
    ['sequencer run --class blue', 'a second operator in the same cluster'],
    ['sequencer run --leader-elect --metrics-port 8080', 'one of several replicas'],
    ['sequencer run --shards sequencer --metrics-port 8080', 'one of several replicas that share the workspaces'],
    ['sequencer run --orphan acme-dns', 'after acme-dns was taken out of the config'],
  ],
  async run({ values, lists, flags }) {
    const { kubeconfig, context, namespace, class: className, workers, drain, 'log-level': level = 'info' } = values;
    const { 'log-format': format = 'json', shards } = values;
    const { 'health-host': healthHost, 'page-host': pageHost } = values;
    // Installed before any import: process 1 of a container ignores signals without a handler.
    using interrupt = createInterrupt();
    const config = values.config ?? (await requireConfig(process.cwd()));
    const secrets = new SecretRegistry();
    const logger = await createLogger(level, sinkOf(format, process.stdout), secrets);
    using _rejections = logUnhandledRejections(logger);
    const loaded = await Promise.race([loadOperatorConfig(config), aborted(interrupt.signal)]);
    if (loaded === undefined) {
      logger.info('stopped before the config was loaded');
      return 0;
    }
    const { integrations, runnables, tenantIntegrations } = loaded;
    const tenantTypes = Object.keys(tenantIntegrations);
    interrupt.signal.addEventListener('abort', () => logger.info('stopping: waiting for running attempts'));
    const named = integrations.map(({ name, condition }) => `${name} (${condition})`);
    await runSequencer({
      integrations,
      tenantIntegrations,
      runnables,
      logger,
      secrets,
      signal: interrupt.signal,
      orphan: orphansOf('run', lists.orphan ?? [], integrations),
      onReady: () =>
        logger.info(
          { integrations: named, ...(tenantTypes.length > 0 && { tenantIntegrations: tenantTypes }) },
          'running',
        ),
      ...defined({
        kubeconfig,
        context,
        namespace,
        healthHost,
        pageHost,
        selector: labelSelectorFrom('run', values.selector),
      }),
      ...(className !== undefined && { className: classNameOf('run', className) }),
      ...(drain !== undefined && { drain: durationOf('run', 'drain', drain) }),
      ...(workers !== undefined && { workers: countOf('run', 'workers', workers) }),
      ...portsOf(values),
      ...collectorOf('run', values.otlp, process.env),
      ...(shards !== undefined && { shards: { ring: ringOf('run', shards, flags) } }),
      ...(flags.has('leader-elect') && { leaderElection: {} }),
    });
    logger.info('stopped');
    return 0;
  },
};
