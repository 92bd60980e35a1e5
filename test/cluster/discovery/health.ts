import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { textResponse } from '../http/represent.ts';

const checks = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
];

/** `/healthz`, `/livez` and `/readyz`, with single checks below them; undefined for other paths. */
export function health(path: string, { url }: ApiRequest): ApiResponse | undefined {
  const [, name, check] = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (check !== undefined) return checks.includes(check) ? textResponse(200, 'ok') : undefined;
  const query = new URLSearchParams(url.split('?', 2)[1]);
  if (!query.has('verbose')) return textResponse(200, 'ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = checks.map((one) => (excluded.has(one) ? `[+]${one} excluded: ok` : `[+]${one} ok`));
  return textResponse(200, `${[...lines, `${name} check passed`].join('\n')}\n`);
}
