import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { components } from '../../../../integrations/components/index.ts';
import { memoryDns } from '../../../../integrations/memory/dns.ts';
import {
  type Client,
  createClient,
  ensureCrds,
  InvalidError,
  loadConnection,
  Service,
  UserError,
  Workspace,
  type WorkspaceSpec,
} from '../../../../sdk/index.ts';
import type { Finding } from '../../../../sequencer/cli/doctor/finding.ts';
import { freePorts } from '../../real/free-ports.ts';
import { startKubelet } from '../../real/kubelet.ts';
import { programPath } from '../../real/owned-process.ts';
import { startRealServer } from '../../real/server.ts';
import { until } from '../../real/until.ts';
import { applied, installed, isCovered, weakened } from '../access/rights.ts';
import { root, run, sequencerArguments } from '../programs.ts';
import { isReady, workspaceGone, workspaceThat } from '../sequencing.ts';

/** Address of this machine that endpoints may have: neither loopback nor link-local. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

const key = (name: string) => ({ namespace: 'default', name });
const specOf = (subdomain: string, template = {}): WorkspaceSpec => ({
  components: [
    {
      name: 'web',
      template: { containers: [{ name: 'web', image: 'web' }], ...template },
      networks: [{ name: 'http', port: 80, targetPort: 80, protocol: 'TCP' }],
    },
  ],
  networking: {
    dns: { zone: 'example.com' },
    ingress: { className: 'x', rules: [{ name: 'web', component: 'web', network: 'http', path: '/', subdomain }] },
  },
});

/** Endpoints of the Service, as the controller of endpoints makes them of pods: here this process is the pod. */
const endpointsOf = (port: number) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'ops', name: 'sequencer-here', labels: { 'kubernetes.io/service-name': 'sequencer' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: 'webhooks', port, protocol: 'TCP' }],
});

/** Starts kube-apiserver. */
async function served(t: ExecutionContext, args: readonly string[]) {
  const server = await startRealServer({ args });
  const kubelet = startKubelet(server.api);
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  t.teardown(async () => {
    await client.close();
    await kubelet.stop();
    await server.close();
  });
  await ensureCrds(client, [Workspace]);
  return { ...server, client };
}

/** Does for the Service what kube-proxy does on a node: its cluster IP leads to the process behind it. Needs the right to give the loopback interface an address. */
async function proxied(t: ExecutionContext, client: Client, port: number): Promise<string> {
  const { spec } = await client.get(Service, { namespace: 'ops', name: 'sequencer' });
  const clusterIp = String(spec?.clusterIP);
  const ip = (verb: string) => execFileSync('ip', ['address', verb, `${clusterIp}/32`, 'dev', 'lo'], { stdio: 'pipe' });
  ip('add');
  t.teardown(() => ip('del'));
  const proxy = createServer((socket) => {
    const behind = connect(port, '127.0.0.1');
    socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
    behind.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  proxy.listen(443, clusterIp);
  await once(proxy, 'listening');
  t.teardown(() => void proxy.close());
  return clusterIp;
}

/** Returns what `sequencer doctor` finds of the webhook. */
async function diagnosed({ kubeconfigPath }: { readonly kubeconfigPath: string }): Promise<string> {
  const config = join(root, 'deploy/sequencer.config.js');
  const flags = ['--kubeconfig', kubeconfigPath, '--operator-namespace', 'ops', '--config', config, '--output', 'json'];
  const { stdout } = await run(process.execPath, sequencerArguments('doctor', ...flags));
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return findings.flatMap(({ check, status, detail }) => (check === 'webhook' ? [`${status}: ${detail}`] : [])).join();
}

(address === undefined ? test.serial.skip : test.serial)(
  'kube-apiserver calls the webhook by its service, which runs with the printed rights alone; without any one of them the start says which',
  async (t) => {
    t.timeout(300_000);
    const server = await served(t, ['--enable-aggregator-routing=true']); // calls endpoints of services itself
    const { client } = server;
    const [webhookPort] = (await freePorts(1)) as [number];
    const integrations = [components(), memoryDns({ names: ['pr.example.com'] })];
    const operator = await installed(
      t,
      { ...server, client },
      {
        ...{ integrations, operatorNamespace: 'ops', webhooks: 'Fail', webhookPort },
      },
    );
    await applied(client, endpointsOf(webhookPort));
    const running = await operator.start();
    const create = (name: string, spec: WorkspaceSpec) =>
      client.create(Workspace, { metadata: key(name), spec }, { dryRun: name === 'wrong' });
    const refusal = () =>
      create('wrong', specOf('www', { hostNetwork: true })).then(
        () => undefined,
        (error: unknown) => (error instanceof InvalidError ? error : undefined),
      );
    const refused = await until(refusal, { message: () => 'not refused within a minute' });
    t.deepEqual(
      refused.status?.details?.causes?.map(({ field }) => field),
      ['spec.components[0].template.hostNetwork', 'spec.networking.ingress.rules'],
    );
    t.regex(refused.message, /www\.example\.com: only names within pr\.example\.com are allowed/);
    await create('shop', specOf('1.pr'));
    await workspaceThat(client, 'shop', isReady);
    const value = { spec: { networking: specOf('www').networking } };
    await t.throwsAsync(client.patch(Workspace, key('shop'), { type: 'merge', value }), { instanceOf: InvalidError });
    await client.delete(Workspace, key('shop'));
    await workspaceGone(client, 'shop');
    t.is(await diagnosed(server), 'ok: answers the API server, failurePolicy Fail');
    await running.stop();
    t.regex(await diagnosed(server), /^problem: .*failed calling webhook .*https:\/\/sequencer\.ops\.svc/);
    await t.throwsAsync(create('late', specOf('1.pr')), {
      message: /failed calling webhook.*https:\/\/sequencer\.ops\.svc/,
    });

    const ofWebhook = weakened(operator.roles).filter(({ without: { resources, resourceNames = [] } }) =>
      [...resources, ...resourceNames].some((name) => name.includes('webhook')),
    );
    t.is(ofWebhook.length, 2);
    for (const { role, without } of ofWebhook) {
      t.false(isCovered(without, role, operator.roles));
      await applied(client, role);
      const what = JSON.stringify(without);
      const error = await t.throwsAsync<UserError>(operator.start(), { instanceOf: UserError }, what);
      t.is(error.code, 'E#1016', what);
      t.true(error.message.includes(without.resources[0]!), error.message);
      for (const whole of operator.roles) await applied(client, whole);
    }
  },
);

(process.getuid?.() === 0 && programPath('ip') !== undefined ? test.serial : test.serial.skip)(
  'kube-apiserver calls the webhook by the cluster IP of its service, as it does in a cluster with kube-proxy',
  async (t) => {
    t.timeout(300_000);
    const server = await served(t, []);
    const { client } = server;
    const [webhookPort] = (await freePorts(1)) as [number];
    const integrations = [components(), memoryDns({ names: ['pr.example.com'] })];
    const options = { integrations, operatorNamespace: 'ops', webhooks: 'Fail', webhookPort } as const;
    const operator = await installed(t, { ...server, client }, options);
    const running = await operator.start();
    const create = () => client.create(Workspace, { metadata: key('wrong'), spec: specOf('www') }, { dryRun: true });
    const clusterIp = await proxied(t, client, webhookPort);
    const refusal = () =>
      create().then(
        () => Promise.reject(new Error('it was taken')),
        (error: unknown) => (error instanceof InvalidError ? error : undefined),
      );
    const refused = await until(refusal, { message: (error) => `not refused within a minute: ${error}` });
    t.regex(refused.message, /www\.example\.com: only names within pr\.example\.com are allowed/);
    t.is(await diagnosed(server), 'ok: answers the API server, failurePolicy Fail');
    await running.stop();
    await t.throwsAsync(create(), { message: /failed calling webhook.*https:\/\/sequencer\.ops\.svc/ });
    t.log(`cluster IP ${clusterIp}`);
  },
);
