import { createMetrics } from '../../../../../sdk/metrics/index.ts';

interface Metric {
  readonly name: string;
  readonly labelNames?: readonly string[];
}

const all = createMetrics({ process: true }).registry.getMetricsAsArray() as unknown as readonly Metric[];
const labels = new Map(all.map(({ name, labelNames = [] }) => [name, labelNames]));
/** Labels that a scrape adds. */
const scraped = ['job', 'namespace', 'pod', 'le'];

/** Returns the metrics of a PromQL expression that `createMetrics` does not have, and the labels that they do not have. */
export const unknownIn = (expr: string): readonly string[] =>
  [...expr.matchAll(/([a-z][a-z0-9_]*)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) => {
    const known = labels.get(name) ?? labels.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (known === undefined) return [name];
    const asked = [...matchers.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
    return asked.filter((label) => ![...known, ...scraped].includes(label)).map((label) => `${name}{${label}}`);
  });
