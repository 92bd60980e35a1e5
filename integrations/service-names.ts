/** Names of objects in the cluster that several integrations have to agree on. */

import { createHash } from 'node:crypto';
import type { Workspace } from '../sdk/index.ts';

/** Longest name of a service. */
const maxLength = 63;

/** Joins the parts by `-` if the result is a valid service name; else shortens it with a digest, which keeps it unique. */
export function dnsLabelName(...parts: readonly string[]): string {
  const joined = parts.join('-');
  if (joined.length <= maxLength && /^[a-z][-a-z0-9]*$/.test(joined)) return joined;
  const safe = joined
    .slice(0, maxLength)
    .replace(/^(?=[^a-z])/, 'w-')
    .replaceAll(/[^-a-z0-9]/g, '-');
  const digest = createHash('sha256').update(joined).digest('hex').slice(0, 8);
  return `${safe.slice(0, maxLength - 9)}-${digest}`;
}

/** Returns the name of the Service of the integration `components` for one network of a component. */
export const serviceName = ({ metadata }: Workspace, component: string, network: string): string =>
  dnsLabelName(metadata.name, component, network);
