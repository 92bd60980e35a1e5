/** Tracer that passes ended spans to a sink, and a context manager on AsyncLocalStorage. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type AttributeValue,
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Clock } from '../clock.ts';
import type { EndedSpan } from './otlp-json.ts';

type SpanSink = (span: EndedSpan) => void;

/** Recorder of one span, without events and links. */
class RecordedSpan implements Span {
  readonly #span: Omit<EndedSpan, 'end' | 'attributes' | 'status' | 'name'>;
  readonly #clock: Clock;
  readonly #sink: SpanSink;
  readonly #startedAt: number;
  readonly #attributes: Attributes;
  #name: string;
  #status: SpanStatus = { code: SpanStatusCode.UNSET };
  #hasEnded = false;

  constructor(
    span: Omit<EndedSpan, 'end' | 'status'>,
    { clock, sink }: { readonly clock: Clock; readonly sink: SpanSink },
  ) {
    const { name, attributes, ...rest } = span;
    this.#span = rest;
    this.#name = name;
    this.#attributes = { ...attributes };
    this.#clock = clock;
    this.#sink = sink;
    this.#startedAt = clock.monotonic();
  }

  spanContext(): SpanContext {
    const { traceId, spanId } = this.#span;
    return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  }

  setAttribute(key: string, value: AttributeValue): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes);
    return this;
  }

  setStatus(status: SpanStatus): this {
    this.#status = status;
    return this;
  }

  updateName(name: string): this {
    this.#name = name;
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  recordException(): void {}

  isRecording(): boolean {
    return !this.#hasEnded;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const end = this.#span.start + this.#clock.monotonic() - this.#startedAt;
    this.#sink({ ...this.#span, name: this.#name, attributes: this.#attributes, status: this.#status, end });
  }
}

/** Creates a tracer that records every span and passes it to the sink when it ends. */
export function createTracer(clock: Clock, sink: SpanSink): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, within: Context = context.active()): Span => {
    const { kind = SpanKind.INTERNAL, attributes = {}, root = false } = options;
    const parent = root ? undefined : trace.getSpanContext(within);
    const span = {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      ...(parent && { parentSpanId: parent.spanId }),
      ...{ name, kind, attributes, start: clock.now() },
    };
    return new RecordedSpan(span, { clock, sink });
  };
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const [options, within] = rest.slice(0, -1) as [SpanOptions?, Context?];
    const parent = within ?? context.active();
    const span = startSpan(name, options, parent);
    return context.with(trace.setSpan(parent, span), () => (rest.at(-1) as (span: Span) => unknown)(span));
  };
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] };
}

/** Sets a context manager that propagates contexts to asynchronous work, unless the process has one. @returns a function that removes it */
export function followContexts(): () => void {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (within, work, ...[self, ...args]) => storage.run(within, () => work.apply(self as never, args as never)),
    bind: (within, target) =>
      typeof target === 'function'
        ? (((...args: unknown[]) => storage.run(within, () => target(...args))) as typeof target)
        : target,
    enable: () => manager,
    disable() {
      storage.disable();
      return manager;
    },
  };
  return context.setGlobalContextManager(manager) ? () => context.disable() : () => undefined;
}
