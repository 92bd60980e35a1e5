/** Prometheus metrics of the server. */

import { textResponse } from '../encoding/representation.ts';
import type { ApiResponse } from '../requests/message.ts';
import type { ServerContext } from '../server/server-context.ts';
import { healthPaths } from './health.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** Metric with its samples: labels in braces, and a value. */
interface Metric {
  readonly name: string;
  readonly help: string;
  /** @default gauge */
  readonly type?: 'gauge' | 'counter';
  readonly samples: readonly string[];
}

const linesOf = ({ name, help, type = 'gauge', samples }: Metric): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map((sample) => `${name}${sample}`),
];

/** Renders metrics in Prometheus' text format. */
function pageOf(metrics: readonly Metric[]): ApiResponse {
  const inOrder = metrics.filter(({ samples }) => samples.length > 0).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const response = textResponse(200, `${inOrder.flatMap(linesOf).join('\n')}\n`);
  const type = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
  return { ...response, headers: { ...response.headers, 'content-type': type } };
}

function objectMetrics({ registry, store }: ServerContext): readonly Metric[] {
  const collections = [...new Set(registry.all().map(({ collection }) => collection))].sort();
  const counted = collections.map((collection) => {
    const [group = '', resource = ''] = collection.split('/');
    return { group, resource, count: store.count(collection) };
  });
  const full = (group: string, resource: string) => quoted(group === '' ? resource : `${resource}.${group}`);
  return [
    {
      name: 'apiserver_resource_objects',
      help: '[ALPHA] Number of stored objects by kind.',
      samples: counted.map(
        ({ group, resource, count }) => `{group=${quoted(group)},resource=${quoted(resource)}} ${count}`,
      ),
    },
    {
      name: 'apiserver_storage_objects',
      help: '[STABLE] Number of stored objects by kind, as older servers name it.',
      samples: counted.map(({ group, resource, count }) => `{resource=${full(group, resource)}} ${count}`),
    },
  ];
}

function processMetrics(): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  const started = Date.now() / 1000 - process.uptime();
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'Total user and system CPU time spent in seconds.',
      type: 'counter',
      samples: [` ${(user + system) / 1e6}`],
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory size in bytes.',
      samples: [` ${process.memoryUsage.rss()}`],
    },
    {
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
      samples: [` ${started.toFixed(2)}`],
    },
  ];
}

function requestMetrics({ requests }: ServerContext): readonly Metric[] {
  const samples = [...requests()].map(([labels, count]) => `{${labels}} ${count}`).sort();
  return [
    {
      name: 'apiserver_request_total',
      help: '[STABLE] Counter of requests by verb, dry run, resource, scope, component and code.',
      type: 'counter',
      samples,
    },
    {
      name: 'apiserver_current_inflight_requests',
      help: '[STABLE] Number of requests that are being answered, by kind.',
      samples: ['{request_kind="mutating"} 0', '{request_kind="readOnly"} 1'],
    },
  ];
}

/** Answers `/metrics` with version, request counts and object counts: the few of upstream's metrics that apply here. */
export function metricsPage(server: ServerContext): ApiResponse {
  const { gitVersion, minor } = server.profile;
  const build = `{git_version=${quoted(gitVersion)},major="1",minor=${quoted(String(minor))}} 1`;
  return pageOf([
    ...objectMetrics(server),
    ...processMetrics(),
    ...requestMetrics(server),
    {
      name: 'kubernetes_build_info',
      help: '[ALPHA] The version of Kubernetes whose behaviour this is.',
      samples: [build],
    },
  ]);
}

/** Answers `/metrics/slis` with the results of the health checks. */
export function indicatorsPage(server: ServerContext): ApiResponse {
  const checks = healthPaths(server).flatMap((path) => {
    const [, type = '', name] = /^\/(\w+)\/(.+)$/.exec(path) ?? [];
    return name === undefined ? [] : [`{name=${quoted(name)},type=${quoted(type)}} 1`];
  });
  return pageOf([
    {
      name: 'kubernetes_healthcheck',
      help: '[STABLE] This metric records the result of a single healthcheck.',
      samples: checks.sort(),
    },
  ]);
}
