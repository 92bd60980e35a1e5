/** Instruments of the metrics: names, labels and buckets. */

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ControllerHealth } from '../operator/engine/health.ts';
import type { ObservedController } from '../operator/engine/observer.ts';

/** Buckets of grafana-app-sdk. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100];
/** Buckets of controller-runtime. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** Buckets of client-go's workqueue. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

const eventLabels = ['event_type', 'kind'];
const queueLabels = ['name', 'controller'];
const requestLabels = ['status_code', 'verb', 'kind', 'subresource'];
/** Results of a run, as values of the label `result`. */
export const results = ['success', 'error', 'requeue', 'requeue_after'] as const;

/** Value of a gauge, read from a controller at each scrape. */
type Scraped = (health: ControllerHealth) => number;

/** Returns functions that create metrics in one registry. */
function instrumentFactories(registry: Registry, controllers: ReadonlySet<ObservedController>) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, labelNames: readonly string[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: (name: string, help: string, labelNames: readonly string[]) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: (name: string, labelNames: readonly string[], buckets: readonly number[]) =>
      new Histogram({ name, help: `${name}, in seconds`, labelNames, buckets: [...buckets], registers }),
    scraped(name: string, help: string, { labelNames, value }: { labelNames: readonly string[]; value: Scraped }) {
      const collect = function (this: Gauge): void {
        for (const controller of controllers) {
          const labels = Object.fromEntries(labelNames.map((label) => [label, controller.name]));
          this.set(labels, value(controller.health()));
        }
      };
      return new Gauge({ name, help, labelNames, registers, collect });
    },
  };
}

type InstrumentFactories = ReturnType<typeof instrumentFactories>;

const informerInstruments = ({ counter, gauge, histogram }: InstrumentFactories, prefix: string) => ({
  events: counter(`${prefix}informer_events_total`, 'Events of informers', eventLabels),
  eventTime: histogram(`${prefix}informer_reconcile_duration_seconds`, eventLabels, latencyBuckets),
  ongoingEvents: gauge(`${prefix}ongoing_reconcile_events`, 'Events that are handled now', eventLabels),
  ongoing: gauge(`${prefix}ongoing_reconcile_processes`, 'Calls of watchers and reconcilers now', eventLabels),
  time: {
    watcher: histogram(`${prefix}watcher_process_duration_seconds`, eventLabels, latencyBuckets),
    reconciler: histogram(`${prefix}reconciler_process_duration_seconds`, eventLabels, latencyBuckets),
  },
  errors: {
    watcher: counter(`${prefix}watcher_errors_total`, 'Failed calls of watchers', eventLabels),
    reconciler: counter(`${prefix}reconciler_errors_total`, 'Failed calls of reconcilers', eventLabels),
  },
  failures: counter(`${prefix}informer_errors_total`, 'Failed lists and watches of informers', ['kind']),
});

const queueInstruments = ({ counter, scraped, histogram }: InstrumentFactories) => ({
  adds: counter('workqueue_adds_total', 'Keys added to the queue', queueLabels),
  retries: counter('workqueue_retries_total', 'Keys added to the queue for later', queueLabels),
  waited: histogram('workqueue_queue_duration_seconds', queueLabels, queueBuckets),
  worked: histogram('workqueue_work_duration_seconds', queueLabels, queueBuckets),
  depth: scraped('workqueue_depth', 'Keys that wait for a worker', {
    labelNames: queueLabels,
    value: ({ queue }) => queue.ready + queue.held,
  }),
  unfinished: scraped('workqueue_unfinished_work_seconds', 'Age of all runs, added up', {
    labelNames: queueLabels,
    value: ({ queue }) => queue.unfinished / 1000,
  }),
  longest: scraped('workqueue_longest_running_processor_seconds', 'Age of the oldest run', {
    labelNames: queueLabels,
    value: ({ queue }) => queue.longestRun / 1000,
  }),
  stalled: scraped('workqueue_stalled_seconds', 'Time since when keys wait and none has started', {
    labelNames: queueLabels,
    value: ({ queue }) => queue.stalled / 1000,
  }),
});

const reconcileInstruments = ({ counter, gauge, scraped, histogram }: InstrumentFactories) => ({
  total: counter('controller_runtime_reconcile_total', 'Runs by their result', ['controller', 'result']),
  errors: counter('controller_runtime_reconcile_errors_total', 'Runs that failed', ['controller']),
  terminal: counter('controller_runtime_terminal_reconcile_errors_total', 'Runs that gave up', ['controller']),
  time: histogram('controller_runtime_reconcile_time_seconds', ['controller'], reconcileBuckets),
  maxConcurrent: gauge('controller_runtime_max_concurrent_reconciles', 'Workers', ['controller']),
  active: scraped('controller_runtime_active_workers', 'Workers that are at work', {
    labelNames: ['controller'],
    value: ({ queue }) => queue.running,
  }),
});

const clientInstruments = ({ counter, histogram }: InstrumentFactories, prefix: string) => ({
  total: counter(`${prefix}kubernetes_client_requests_total`, 'Requests to API servers', requestLabels),
  time: histogram(`${prefix}kubernetes_client_request_duration_seconds`, requestLabels, latencyBuckets),
  restTotal: counter('rest_client_requests_total', 'Requests to API servers', ['code', 'method', 'host']),
  watchEvents: counter(`${prefix}kubernetes_client_watch_events_total`, 'Events of watches', ['kind']),
  watchErrors: counter(`${prefix}kubernetes_client_watch_errors_total`, 'Watches that failed', ['kind']),
  refused: counter('workspace_refused_writes_total', 'Writes of workspaces that the API server has refused', [
    'write',
    'code',
  ]),
});

const webhookInstruments = ({ counter, histogram }: InstrumentFactories) => ({
  requests: counter('controller_runtime_webhook_requests_total', 'Reviews by the status of their answer', [
    'webhook',
    'code',
  ]),
  time: histogram('controller_runtime_webhook_latency_seconds', ['webhook'], reconcileBuckets),
  reviews: counter('webhook_reviews_total', 'Reviews by what became of them', ['webhook', 'outcome']),
});

const operationLabels = ['service', 'resource', 'operation'];

const operationInstruments = ({ counter, histogram }: InstrumentFactories, subsystem: string) => {
  const name = `operatorkit_${subsystem}_operation`;
  return {
    total: counter(`${name}_total`, 'Operations that ended', operationLabels),
    errors: counter(`${name}_error_total`, 'Operations that failed', operationLabels),
    time: histogram(name, operationLabels, latencyBuckets),
  };
};

/** Parts of the names of metrics. */
interface MetricNames {
  readonly prefix: string;
  readonly subsystem: string;
}

/**
 * Creates all metrics in one registry; gauges of type `scraped` read `controllers` at each scrape. @throws Error if the registry contains them
 * already
 */
export function createInstruments(registry: Registry | undefined, { prefix, subsystem }: MetricNames) {
  const controllers = new Set<ObservedController>();
  const register = registry ?? new Registry();
  const factories = instrumentFactories(register, controllers);
  return {
    registry: register,
    controllers,
    informers: informerInstruments(factories, prefix),
    queues: queueInstruments(factories),
    reconciles: reconcileInstruments(factories),
    clients: clientInstruments(factories, prefix),
    operations: operationInstruments(factories, subsystem),
    webhooks: webhookInstruments(factories),
    leading: factories.gauge('leader_election_master_status', 'Whether this process leads, by lease', ['name']),
  };
}

export type Instruments = ReturnType<typeof createInstruments>;
