/** Connections to NATS servers whose memory and time are bounded, by the package `@nats-io/transport-node`. */

import type { Socket } from 'node:net';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import type { NodeTransport as Transport } from '@nats-io/transport-node/lib/node_transport.js';
import { guardedStream } from '../guarded-stream.ts';
import { vendorLibrary } from '../vendor-library.ts';

/** Limits of a connection, which is for one message: the library takes microseconds for each line, and parts of them for each byte of a long one. */
const limits = { maxBytes: 262_144, maxLines: 1_000 };

const guarded = <Stream extends Socket>(stream: Stream): Stream => guardedStream(stream, limits);

const entryPoint = 'integrations/notify/nats';
const library = () =>
  vendorLibrary('@nats-io/transport-node', entryPoint, async () => import('@nats-io/transport-node'));
const transports = () =>
  vendorLibrary(
    '@nats-io/transport-node',
    entryPoint,
    async () => import('@nats-io/transport-node/lib/node_transport.js'),
  );

/** Opens a connection. Its streams are guarded, and one that is not made within `timeout` ends: the package's own one continues reading. */
export async function connectGuarded(
  options: NodeConnectionOptions & { readonly timeout: number },
): Promise<NatsConnection> {
  const { setTransportFactory, NatsConnectionImpl } = await library();
  const { NodeTransport, nodeResolveHost } = await transports();
  class GuardedTransport extends NodeTransport {
    override async dial(server: Parameters<Transport['dial']>[0]) {
      return guarded(await super.dial(server));
    }
    override async tlsFirst(server: Parameters<Transport['tlsFirst']>[0]) {
      return guarded(await super.tlsFirst(server));
    }
    override async startTLS() {
      return guarded(await super.startTLS());
    }
    override async connect(...[server, given]: Parameters<Transport['connect']>) {
      const timer = setTimeout(() => this.discard(), given.timeout);
      try {
        await super.connect(server, given);
      } finally {
        clearTimeout(timer);
      }
    }
  }
  setTransportFactory({ factory: () => new GuardedTransport(), dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
