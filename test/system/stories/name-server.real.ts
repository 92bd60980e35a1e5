import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { type NameServer, startNameServer } from '../real/programs/name-server.ts';
import { root, sequencerArguments } from './programs.ts';
import { connectTo, eventually, statusesOf, workspaceThat } from './sequencing.ts';
import { serversUnderTest } from './servers.ts';

const host = 'shop.example.com';
const address = '192.0.2.7';

/** Starts a program in the checkout with the example's integrations, these arguments and the name server's address. */
function start(command: string, args: readonly string[], names: NameServer) {
  const { host: DNS_HOST, port, key } = names;
  const settings = { DNS_HOST, DNS_PORT: String(port), DNS_KEY: key.name, DNS_SECRET: key.secret, DNS_TARGET: address };
  const child = spawn(command, [...args, '--config', 'examples/rfc2136.config.ts', ...example], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  return {
    interrupt: () => child.kill('SIGINT'),
    end: async () => ({ code: (await exit)[0], output: (await output).join('\n') }),
    running: () => child.exitCode === null && child.signalCode === null,
  };
}

const real = serversUnderTest().find(({ name }) => name === 'kube-apiserver')!;
const server = await real.start();
const client = await connectTo(server);
test.after.always(async () => {
  await client.close();
  await server.close();
});
const example = ['--kubeconfig', server.kubeconfigPath, 'examples/workspace.yaml'];

for (const implementation of ['bind', 'knot'] as const) {
  test.serial(`${implementation}: npm start --once publishes a name on the way, and nothing is left`, async (t) => {
    const names = await startNameServer({ implementation, zone: 'example.com' });
    t.teardown(() => names.close());
    const program = start('npm', ['start', '--', '--once'], names);
    const answers = new Set<string>();
    while (program.running()) {
      for (const answer of await names.lookup(host, 'A')) answers.add(answer);
      await sleep(5);
    }
    const { code, output } = await program.end();
    t.is(code, 0, output);
    t.regex(output, /default\/shop\s+Ready\s+True\s+Healthy/);
    t.regex(output, /Nothing is left/);
    t.deepEqual([...answers], [address]);
    t.deepEqual(await names.lookup(host, 'A'), []);
    const left = (await names.transfer()).filter(({ name }) => name.includes('shop'));
    t.deepEqual(left, [], 'nor is the mark of its owner');
  });

  test.serial(`${implementation}: a name answers while its workspace is Ready, and not after Ctrl-C`, async (t) => {
    const names = await startNameServer({ implementation, zone: 'example.com' });
    t.teardown(() => names.close());
    const program = start(process.execPath, sequencerArguments('dev'), names);
    await eventually('the workspace is made', () => workspaceThat(client, 'shop', () => true));
    const ready = await workspaceThat(client, 'shop', (one) => statusesOf(one).Ready === 'True');
    t.is(ready.status?.host, host);
    t.deepEqual(await names.lookup(host, 'A'), [address]);
    t.deepEqual(await names.lookup(`_op-owner.${host}`, 'TXT').then((marks) => marks.length), 1);
    program.interrupt();
    const { code, output } = await program.end();
    t.is(code, 0, output);
    t.deepEqual(await names.lookup(host, 'A'), []);
  });
}
