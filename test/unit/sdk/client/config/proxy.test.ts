import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import test from 'ava';
import { loadConnection } from '../../../../../sdk/client/config/load-connection.ts';
import { environmentProxy } from '../../../../../sdk/client/config/proxy.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { createCluster } from '../../../../cluster/index.ts';

const proxy = 'http://proxy:3128';

for (const [noProxy, server, expected] of [
  ['', 'https://api.example.com', proxy],
  ['example.com', 'https://api.example.com', undefined],
  ['.example.com', 'https://api.example.com', undefined],
  ['*.example.com', 'https://api.example.com', undefined],
  ['ample.com', 'https://api.example.com', proxy],
  ['other.com, api.example.com', 'https://api.example.com', undefined],
  ['api.example.com:6443', 'https://api.example.com:6443', undefined],
  ['api.example.com:6443', 'https://api.example.com', proxy],
  ['api.example.com:443', 'https://api.example.com', undefined],
  ['*', 'https://api.example.com', undefined],
  ['10.0.0.0/8', 'https://10.1.2.3:6443', undefined],
  ['10.0.0.0/8', 'https://11.1.2.3', proxy],
  ['fd00::/8', 'https://[fd00::1]', undefined],
  ['fd00::1', 'https://[fd00::1]', undefined],
  ['10.0.0.0/33', 'https://10.1.2.3', proxy],
  ['10.0.0.0/', 'https://11.1.2.3', proxy],
  ['10.0.0.0/x', 'https://10.1.2.3', proxy],
  ['fd00::/129', 'https://[fd00::1]', proxy],
  ['', 'https://127.0.0.1:6443', undefined],
  ['', 'https://localhost', undefined],
] as const)
  test(`with NO_PROXY=${noProxy}, ${server} is reached ${expected === undefined ? 'directly' : 'by the proxy'}`, (t) => {
    t.is(environmentProxy(server, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }), expected);
  });

test('names of variables may be in lower case; plain HTTP has a proxy of its own', (t) => {
  t.is(environmentProxy('https://a', { https_proxy: proxy }), proxy);
  t.is(environmentProxy('http://a', { https_proxy: proxy, http_proxy: 'http://other' }), 'http://other');
  t.is(environmentProxy('https://a', { HTTPS_PROXY: 'proxy:3128' }), proxy);
  t.is(environmentProxy('https://a', {}), undefined);
});

test('requests go through the tunnel of a proxy', async (t) => {
  const cluster = await createCluster();
  const { port, kubeconfigYaml } = await cluster.listen();
  const asked: (string | undefined)[] = [];
  const tunnel = createServer().on('connect', (request, socket, head) => {
    asked.push(request.url);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
  const connection = await loadConnection({ kubeconfig: { yaml: kubeconfigYaml() } });
  const client = createClient({ connection: { ...connection, proxy: url } });
  t.teardown(async () => {
    await client.close();
    tunnel.close();
    await cluster.close();
  });
  t.like(await client.raw('GET', '/version'), { major: '1' });
  t.deepEqual(asked, [`127.0.0.1:${port}`]);
});
