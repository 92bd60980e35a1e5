/** Compliance subjects of `cloudflareTunnel`. */

import { cloudflareTunnel } from '../../../../integrations/cloudflare/tunnel.ts';
import type { CloudflareTunnelOptions } from '../../../../integrations/cloudflare/tunnel-options.ts';
import type { WorkspaceSpec } from '../../../../sdk/index.ts';
import { httpFailures, type Run, type Subject } from '../../../compliance/index.ts';
import { component, rule } from '../an-ingress-spec.ts';
import type { AccountTunnels } from './account-tunnels.ts';
import { account, accountId } from './subject.ts';

/** Spec with a tunnel and two hosts; the second one has this subdomain. */
export const tunnelSpec = (subdomain: string): WorkspaceSpec => ({
  components: [component('web', 80), component('api', 8080)],
  networking: {
    dns: { zone: 'example.test' },
    tunnel: { cloudflare: {} },
    ingress: { className: 'nginx', rules: [rule('web'), rule('api', { path: '/api', subdomain })] },
  },
});

/** Compliance subject, without its third party. */
export const tunnelSubject: Omit<Subject, 'start'> = {
  identity: 'name',
  spec: tunnelSpec('api'),
  edited: tunnelSpec('back-office'),
  sameName: 'separate',
  drift: 'mended',
  failures: httpFailures,
  secrets: [account.token],
};

/** Integration of one run. */
export const tunnelIntegrationOf = ({ fetch, clock }: Run, options: Partial<CloudflareTunnelOptions> = {}) =>
  cloudflareTunnel({
    ...{ token: account.token, accountId, connector: false, driftInterval: 60_000 },
    ...options,
    ...{ fetch, clock },
  });

/** Deletes the first tunnel, or changes its rules: in turns. */
export function tunnelSpoiler(tunnels: AccountTunnels): () => void {
  let spoils = 0;
  return () => {
    const [one] = tunnels.all;
    spoils += 1;
    if (one === undefined) return;
    if (spoils % 2 === 0) tunnels.clear();
    else tunnels.edit(one.id, { rules: [{ service: 'http_status:503' }] });
  };
}

/** Describes tunnels with their ids, in words that are the same in every namespace. */
export const tunnelThings = (tunnels: AccountTunnels) =>
  tunnels.all.map(({ id, rules }) => ({
    id,
    what: `tunnel ${JSON.stringify(rules).replaceAll(/\.[-\w]+\.svc:/g, '.svc:')}`,
  }));
