/** Real control planes for tests of the client. */

import type { ExecutionContext } from 'ava';
import { loadConnection } from '../../../../sdk/client/config/load-connection.ts';
import { createClient } from '../../../../sdk/client/http/create-client.ts';
import { startRealServer } from '../../../system/real/server.ts';

/** Starts a real control plane with a client of its administrator. */
export async function startSubject() {
  const server = await startRealServer();
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  const close = async () => {
    await client.close();
    await server.close();
  };
  return { server, client, close };
}

/** Starts the same for one test and closes it afterwards. */
export async function subjectOf(t: ExecutionContext) {
  const subject = await startSubject();
  t.teardown(subject.close);
  return subject;
}
