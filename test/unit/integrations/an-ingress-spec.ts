/** Parts of workspaces with ingress rules. */

import type { Component } from '../../../sdk/index.ts';

/** Component with a network `http`. */
export const component = (name: string, port: number): Component => ({
  name,
  template: { containers: [{ name, image: name }] },
  networks: [{ name: 'http', port, targetPort: port, protocol: 'TCP' }],
});

/** Rule to the network `http` of a component; named after it unless said otherwise. */
export const rule = (
  to: string,
  more: { readonly name?: string; readonly subdomain?: string; readonly path?: string; readonly network?: string } = {},
) => ({ name: to, path: '/', component: to, network: 'http', ...more });
