/**
 * Prometheus metrics of controllers and clients: `workspace-sequencer/sdk/metrics`. A separate entry point, since it loads prom-client.
 *
 * @packageDocumentation
 */
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { OutsideObserver } from '../api/outside-observer.ts';
import type { ClientRequest } from '../client/http/observer.ts';
import { type Clock, systemClock } from '../clock.ts';
import { ApiError, GiveUpError, isRace } from '../errors.ts';
import type { Settled } from '../operator/engine/next-run.ts';
import type { ObservedEvent, Observer } from '../operator/engine/observer.ts';
import type { OperationObserver } from '../reconcile/operatorkit/metrics.ts';
import { createInstruments, type Instruments, results } from './instruments.ts';
import { outsideObserver } from './workspaces.ts';

/** Options of {@link createMetrics}. */
export interface MetricsOptions {
  /** Registry to fill; it must not contain these metrics yet. @default a new one */
  readonly registry?: Registry;
  /** Prefix of grafana-app-sdk's metrics, joined with `_`; controller-runtime's keep their names. @default none */
  readonly namespace?: string;
  /** Subsystem in the names of operatorkit's series: `'framework'` at first, `'controller'` later. @default 'controller' */
  readonly subsystem?: 'controller' | 'framework';
  /** Adds prom-client's metrics of the process: `process_*` and `nodejs_*`. @default false */
  readonly process?: boolean;
  readonly clock?: Clock;
}

/** Metrics and the observer that fills them: pass it to clients and controllers. */
export interface Metrics {
  readonly registry: Registry;
  readonly observer: Required<
    Pick<
      Observer,
      | 'attached'
      | 'queued'
      | 'taken'
      | 'worked'
      | 'run'
      | 'event'
      | 'call'
      | 'operation'
      | 'sourceFailed'
      | 'elected'
      | 'request'
      | 'watch'
      | 'refused'
      | 'reviewed'
      | keyof OutsideObserver
    >
  >;
  /** Renders all metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** Content type of {@link Metrics.text}. */
  readonly contentType: string;
}

const eventTypes = { created: 'CREATE', updated: 'UPDATE', deleted: 'DELETE', resynced: 'RESYNC' } as const;

function resultOf(settled: Settled): (typeof results)[number] {
  if ('result' in settled) return settled.result.requeueAfter === undefined ? 'success' : 'requeue_after';
  return isRace(settled.error) ? 'requeue' : 'error';
}

const labelsOf = ({ action, object }: ObservedEvent) => ({ event_type: eventTypes[action], kind: object.kind });

type Timer = () => () => number;

function runMeter(reconciles: Instruments['reconciles'], timer: Timer) {
  return async (controller: string, work: () => Promise<Settled>): Promise<Settled> => {
    const seconds = timer();
    const settled = await work();
    const result = resultOf(settled);
    reconciles.time.observe({ controller }, seconds());
    reconciles.total.inc({ controller, result });
    if (result === 'error') reconciles.errors.inc({ controller });
    if ('error' in settled && settled.error instanceof GiveUpError) reconciles.terminal.inc({ controller });
    return settled;
  };
}

/** Counts and times operations; a failed operation is counted by both counters. */
const operationObserver =
  ({ total, errors, time }: Instruments['operations'], timer: Timer): Required<OperationObserver>['operation'] =>
  async ({ service, resource, operation }, work) => {
    const [labels, seconds] = [{ service, resource, operation }, timer()];
    try {
      return await work();
    } catch (error) {
      errors.inc(labels);
      throw error;
    } finally {
      total.inc(labels);
      time.observe(labels, seconds());
    }
  };

function informerObserver(informers: Instruments['informers'], timer: Timer) {
  return {
    async event(event: ObservedEvent, work: () => Promise<void>): Promise<void> {
      const [labels, seconds] = [labelsOf(event), timer()];
      informers.events.inc(labels);
      informers.ongoingEvents.inc(labels);
      try {
        await work();
      } finally {
        informers.ongoingEvents.dec(labels);
        informers.eventTime.observe(labels, seconds());
      }
    },
    sourceFailed: ({ kind }: { readonly kind: string }) => informers.failures.inc({ kind }),
  };
}

function clientObserver(
  clients: Instruments['clients'],
  timer: Timer,
): Required<Pick<Observer, 'request' | 'watch' | 'refused'>> {
  const codeOf = (error: unknown): string => (error instanceof ApiError ? String(error.code) : '0');
  const labels = ({ verb, kind, subresource }: ClientRequest, status_code: string) => ({
    status_code,
    verb,
    kind,
    subresource,
  });
  /** Counts a request as client-go does. */
  const countRequest = ({ method, url }: ClientRequest, code: string): void => {
    const host = URL.parse(url)?.host ?? '';
    clients.restTotal.inc({ code: code === '0' ? '<error>' : code, method, host });
  };
  return {
    async request(request, work) {
      const seconds = timer();
      const record = (code: string): void => {
        clients.total.inc(labels(request, code));
        clients.time.observe(labels(request, code), seconds());
        countRequest(request, code);
      };
      try {
        const answer = await work();
        record(String(answer.status));
        return answer;
      } catch (error) {
        record(codeOf(error));
        throw error;
      }
    },
    refused: ({ write, code }) => clients.refused.inc({ write, code }),
    watch(request) {
      let isOpen = false;
      const { kind } = request;
      return {
        opened() {
          isOpen = true;
          clients.total.inc(labels(request, '200'));
          countRequest(request, '200');
        },
        event: () => clients.watchEvents.inc({ kind }),
        ended(error) {
          if (error === undefined) return;
          clients.watchErrors.inc({ kind });
          if (isOpen) return;
          clients.total.inc(labels(request, codeOf(error)));
          countRequest(request, codeOf(error));
        },
      };
    },
  };
}

/**
 * Creates metrics under grafana-app-sdk's names (`informer_…`, `watcher_…`, `reconciler_…`, `kubernetes_client_…`), controller-runtime's
 * (`workqueue_…`, `controller_runtime_…`) and operatorkit's (`operatorkit_controller_operation…`), with their labels and buckets.
 *
 * Create them once for all clients and controllers of a process. Durations and counts of calls include retries; a resync has the event type `RESYNC`; a
 * request without a response has the code `0`.
 *
 * @example
 * ```ts run
 * import { createMetrics } from 'workspace-sequencer/sdk/metrics';
 *
 * const metrics = createMetrics({ namespace: 'shop' });
 * console.log((await metrics.text()).includes('shop_'));
 * ```
 */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { namespace = '', subsystem = 'controller', clock = systemClock } = options;
  const instruments = createInstruments(options.registry, {
    prefix: namespace === '' ? '' : `${namespace}_`,
    subsystem,
  });
  if (options.process === true) collectDefaultMetrics({ register: instruments.registry });
  const { registry, controllers, informers, queues, reconciles, clients, operations, webhooks, leading } = instruments;
  const timer: Timer = () => {
    const start = clock.monotonic();
    return () => (clock.monotonic() - start) / 1000;
  };
  const measured = runMeter(reconciles, timer);
  const queueOf = (name: string) => ({ name, controller: name });
  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observer: {
      ...informerObserver(informers, timer),
      ...clientObserver(clients, timer),
      ...outsideObserver(registry, clock),
      attached(controller) {
        controllers.add(controller);
        reconciles.maxConcurrent.set({ controller: controller.name }, controller.workers);
        for (const result of results) reconciles.total.inc({ controller: controller.name, result }, 0);
      },
      queued: (name, later) => queues[later ? 'retries' : 'adds'].inc(queueOf(name)),
      taken: (name, waited) => queues.waited.observe(queueOf(name), waited / 1000),
      worked: (name, took) => queues.worked.observe(queueOf(name), took / 1000),
      elected: (name, isLeader) => leading.set({ name }, isLeader ? 1 : 0),
      operation: operationObserver(operations, timer),
      reviewed({ webhook, status, outcome, took }) {
        webhooks.requests.inc({ webhook, code: status });
        webhooks.time.observe({ webhook }, took / 1000);
        webhooks.reviews.inc({ webhook, outcome });
      },
      run: ({ controller }, work) => measured(controller, work),
      async call({ type, event }, work) {
        const [labels, seconds] = [labelsOf(event), timer()];
        informers.ongoing.inc(labels);
        const settled = await measured(event.controller, work);
        informers.ongoing.dec(labels);
        informers.time[type].observe(labels, seconds());
        if ('error' in settled) informers.errors[type].inc(labels);
        return settled;
      },
    },
  };
}
