import type { ApiResponse } from '../http/message.ts';
import { textResponse } from '../http/represent.ts';
import type { Machinery } from '../machinery.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** One metric as Prometheus reads it. */
const metric = (name: string, help: string, samples: readonly string[]): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  ...samples.map((sample) => `${name}${sample}`),
];

/** `/metrics`: which version this is, and how many objects there are of each kind. Of upstream's several hundred metrics these are the ones that say something here. */
export function metricsPage({ registry, store, profile }: Machinery): ApiResponse {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(profile.gitVersion) ?? [];
  const build = `{git_version=${quoted(profile.gitVersion)},major=${quoted(major)},minor=${quoted(minor)}} 1`;
  const collections = new Set(registry.all().map(({ collection }) => collection));
  const counts = [...collections].map((collection) => {
    const [group = '', resource = ''] = collection.split('/');
    return `{group=${quoted(group)},resource=${quoted(resource)}} ${store.count(collection)}`;
  });
  const lines = [
    ...metric('apiserver_resource_objects', '[ALPHA] Number of stored objects by kind.', counts.sort()),
    ...metric('kubernetes_build_info', '[ALPHA] The version of Kubernetes whose behaviour this is.', [build]),
  ];
  const response = textResponse(200, `${lines.join('\n')}\n`);
  const type = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
  return { ...response, headers: { ...response.headers, 'content-type': type } };
}
