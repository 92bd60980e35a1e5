/**
 * OpenTelemetry spans of controllers and clients: `workspace-sequencer/sdk/tracing`. A separate entry point, since it loads @opentelemetry/api.
 *
 * @packageDocumentation
 */
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseApiVersion } from '../api/kind.ts';
import type { ClientRequest } from '../client/http/observer.ts';
import { systemClock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { Settled } from '../operator/engine/next-run.ts';
import type { ObservedCall, ObservedEvent, ObservedSource, Observer } from '../operator/engine/observer.ts';
import type { ReconcileAction } from '../reconcile/object-event.ts';
import { messageOf } from '../thrown.ts';
import { type ExporterOptions, OtlpExporter } from './otlp-exporter.ts';
import { createTracer, followContexts } from './otlp-tracer.ts';

/** Options of {@link createTracing}. */
export interface TracingOptions {
  /** @default the global provider's, named `sdk-operator` */
  readonly tracer?: Tracer;
}

type TracingObserver = Required<Pick<Observer, 'run' | 'event' | 'call' | 'list' | 'follow' | 'request' | 'watch'>>;

const verbs: Readonly<Record<ReconcileAction, string>> = {
  created: 'add',
  updated: 'update',
  deleted: 'delete',
  resynced: 'resync',
};

const attributesOf = ({ object: { apiVersion, kind, metadata } }: ObservedEvent): Attributes => {
  const { group, version } = parseApiVersion(apiVersion);
  return {
    'kind.name': kind,
    'kind.group': group,
    'kind.version': version,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
  };
};

const sourceAttributes = ({ kind, group, version, namespace = '' }: ObservedSource): Attributes => ({
  'kind.name': kind,
  'kind.group': group,
  'kind.version': version,
  namespace,
});

const requestAttributes = ({ method, url }: ClientRequest): Attributes => {
  const { hostname, port, protocol } = new URL(url);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'url.full': url,
  };
};

const nameOf = ({ verb, subresource }: ClientRequest): string =>
  `kubernetes-${verb.toLowerCase()}${verb === 'UPDATE' && subresource !== 'spec' ? '-subresource' : ''}`;

const fail = (span: Span, error: unknown): void => {
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
  if (error instanceof ApiError) span.setAttribute('http.response.status_code', error.code);
};

/** Runs `work` within a span; an error that it throws is recorded in the span. */
async function inContext<R>(span: Span, parent: Context, work: () => Promise<R>): Promise<R> {
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs work that never throws within a span and records the error that it settles with. */
const settledWithin = (span: Span, parent: Context, work: () => Promise<Settled>): Promise<Settled> =>
  inContext(span, parent, async () => {
    const settled = await work();
    if ('error' in settled) fail(span, settled.error);
    return settled;
  });

/** Runs each step of an iteration in the context of a span that ends with the iteration. */
async function* tracedIteration<E>(span: Span, events: AsyncIterable<E>): AsyncGenerator<E, void, void> {
  const inner = trace.setSpan(context.active(), span);
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await context.with(inner, () => iterator.next());
      if (step.done === true) return;
      yield step.value;
    }
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
    await iterator.return?.();
  }
}

const clientSpans = (tracer: Tracer): Pick<TracingObserver, 'request' | 'watch'> => ({
  request(request, work) {
    const span = tracer.startSpan(nameOf(request), { attributes: requestAttributes(request) });
    return inContext(span, context.active(), async () => {
      const answer = await work();
      span.setAttribute('http.response.status_code', answer.status);
      return answer;
    });
  },
  watch(request) {
    const span = tracer.startSpan(nameOf(request), { attributes: requestAttributes(request) });
    return {
      opened: () => span.setAttribute('http.response.status_code', 200),
      ended(error) {
        if (error !== undefined) fail(span, error);
        span.end();
      },
    };
  },
});

/** Traces events and their calls; the span of a call is a child of the span of its event, and so are those of retries. */
function eventSpans(tracer: Tracer): Pick<TracingObserver, 'event' | 'call'> {
  const contexts = new WeakMap<ObservedEvent, Context>();
  const callName = ({ type, event, isRetry }: ObservedCall): string => {
    if (isRetry) return 'controller-retry';
    return type === 'reconciler' ? 'controller-event-reconcile' : `controller-event-${verbs[event.action]}`;
  };
  return {
    async event(event, work) {
      const span = tracer.startSpan(`informer-event-${verbs[event.action]}`, { attributes: attributesOf(event) });
      const parent = context.active();
      contexts.set(event, trace.setSpan(parent, span));
      await inContext(span, parent, work);
    },
    async call(call, work) {
      const outer = contexts.get(call.event);
      const parent = outer ?? context.active();
      const attributes = { ...attributesOf(call.event), attempt: call.attempt, type: call.type };
      const span = tracer.startSpan(callName(call), { attributes }, parent);
      const settled = await settledWithin(span, parent, work);
      if ('error' in settled && outer !== undefined && !call.isRetry) fail(trace.getSpan(outer)!, settled.error);
      return settled;
    },
  };
}

/**
 * Creates spans under grafana-app-sdk's names. A retry or requeue is a child of its first event; runs of plain controllers are
 * `controller-reconcile`.
 *
 * # Caveats
 * Requests made by a handler are children of its span only if the process has a context manager (the Node SDK of OpenTelemetry sets one).
 */
export function createTracing({ tracer = trace.getTracer('sdk-operator') }: TracingOptions = {}): {
  readonly observer: TracingObserver;
} {
  return {
    observer: {
      ...clientSpans(tracer),
      ...eventSpans(tracer),
      run({ controller, kind, key: { namespace = '', name }, cause, attempt }, work) {
        const attributes = { controller, 'kind.name': kind, namespace, name, cause, attempt };
        return settledWithin(tracer.startSpan('controller-reconcile', { attributes }), context.active(), work);
      },
      list: (source, work) =>
        inContext(tracer.startSpan('informer-list', { attributes: sourceAttributes(source) }), context.active(), work),
      follow: (source, events) =>
        tracedIteration(tracer.startSpan('informer-watch', { attributes: sourceAttributes(source) }), events),
    },
  };
}

/** Tracing with spans that are sent to a collector. */
export interface ExportedTracing {
  readonly observer: TracingObserver;
  /** Returns the number of spans dropped so far: the queue was full, or the collector refused them. */
  dropped(): number;
  /** Sends the pending spans, within a time limit, and stops. */
  close(): Promise<void>;
}

/**
 * Creates a {@link createTracing} whose spans are sent to an OpenTelemetry collector by OTLP over HTTP in JSON, in batches. It needs no SDK
 * of OpenTelemetry, and sets a context manager until it is closed: requests are children of the reconcile that made them.
 *
 * # Guarantees
 * Work never waits for the collector. At most 4 096 spans are pending; further ones are dropped and counted. Texts are redacted by `redact` before they
 * are sent.
 */
export function exportTracing(options: ExporterOptions): ExportedTracing {
  const exporter = new OtlpExporter(options);
  const stopFollowing = followContexts();
  const tracer = createTracer(options.clock ?? systemClock, (span) => exporter.add(span));
  return {
    observer: createTracing({ tracer }).observer,
    dropped: () => exporter.dropped,
    async close() {
      await exporter.close();
      stopFollowing();
    },
  };
}
