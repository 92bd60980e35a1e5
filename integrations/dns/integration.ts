/** Integration of a DNS backend. */

import { defineIntegration, type Integration } from '../../sdk/index.ts';
import { mistakeInNames } from './allowed-names.ts';
import { type DnsSetup, dnsProvider, wantsDns } from './provider.ts';

/** Name and settings of a DNS integration. */
export interface DnsIntegrationOptions
  extends DnsSetup,
    Pick<Integration, 'name' | 'secrets' | 'limits' | 'endpoints'> {}

/** Defines the integration that publishes the records of all workspaces with DNS at one backend. @throws TypeError when the name or the limits are invalid */
export const dnsIntegration = ({
  name,
  secrets = [],
  limits,
  endpoints,
  ...setup
}: DnsIntegrationOptions): Integration =>
  defineIntegration({
    name,
    condition: 'DNS',
    after: ['Components', 'Tunneling', 'Ingress'],
    secrets,
    ...(limits !== undefined && { limits }),
    ...(endpoints !== undefined && { endpoints }),
    handles: wantsDns,
    validate: (workspace) => [mistakeInNames(setup, workspace)].filter((one) => one !== undefined),
    connect: ({ controller }) => dnsProvider(controller, setup),
  });
