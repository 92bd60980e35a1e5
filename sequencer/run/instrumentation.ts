/** Metrics and traces of an operator; their packages are loaded only if the options enable them. */

import type { Logger } from 'pino';
import { type Clock, combinedObserver, type Observer, type SecretRegistry } from '../../sdk/index.ts';
import type { Metrics } from '../../sdk/metrics/index.ts';

/** Options of metrics and traces. */
export interface InstrumentationOptions {
  /** Port of `/metrics`, and of `/livez` and `/readyz` too; may equal the health port. @default none */
  readonly metricsPort?: number;
  /** OpenTelemetry collector that spans are sent to, by OTLP over HTTP: its address without a path, and headers of each request. @default none */
  readonly otlp?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
}

/** Dependencies of {@link createInstrumentation}. */
export interface InstrumentationHost {
  readonly logger?: Logger | undefined;
  readonly secrets: SecretRegistry;
  readonly clock: Clock;
}

/** Metrics and observer of one operator. */
export interface Instrumentation {
  readonly metrics?: Metrics;
  /** Given to clients and controllers; empty without metrics and traces. */
  readonly observed: { readonly observer?: Observer };
  /** Sends the pending spans, within a time limit. */
  close(): Promise<void>;
}

/** Creates the metrics and the observer that the options enable. */
export async function createInstrumentation(
  { metricsPort, otlp }: InstrumentationOptions,
  { logger, secrets, clock }: InstrumentationHost,
): Promise<Instrumentation> {
  const metrics =
    metricsPort === undefined
      ? undefined
      : (await import('../../sdk/metrics/index.ts')).createMetrics({ process: true });
  secrets.add(...Object.values(otlp?.headers ?? {}));
  const redact = (text: string) => secrets.redact(text);
  const tracing =
    otlp && (await import('../../sdk/tracing/index.ts')).exportTracing({ ...otlp, redact, logger, clock });
  const observers = [metrics?.observer, tracing?.observer].filter((one) => one !== undefined);
  return {
    ...(metrics && { metrics }),
    observed: observers.length === 0 ? {} : { observer: combinedObserver(...observers) },
    close: async () => tracing?.close(),
  };
}
