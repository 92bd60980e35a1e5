import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { binaryPath } from '../real/binaries.ts';
import { createScratch, startProcess } from '../real/owned-process.ts';
import { type ClusterProgram, root, run, startClusterProgram, startSequencerProgram } from './programs.ts';
import { eventually } from './sequencing.ts';
import { serversUnderTest } from './servers.ts';

const kubectl = binaryPath('kubectl');
const example = join(root, 'examples/workspace.yaml');
const scratch = createScratch('kubectl');

/** Returns kubectl for one server, with a cache of its own. */
const kubectlFor = (name: string, { kubeconfigPath }: Pick<ClusterProgram, 'kubeconfigPath'>) => {
  const always = ['--kubeconfig', kubeconfigPath, '--cache-dir', join(scratch.folder, name)];
  return {
    said: (...args: readonly string[]) => run(kubectl, [...always, ...args]),
    start: (...args: readonly string[]) =>
      startProcess({
        name: `${name}-${args[0]}`,
        command: kubectl,
        args: [...always, ...args],
        folder: scratch.folder,
      }),
  };
};

async function scene(name: string, start: () => Promise<ClusterProgram>) {
  const server = await start();
  const sequencer = await startSequencerProgram(server.kubeconfigPath, 'examples/sequencer.config.ts');
  const close = async () => {
    await sequencer.close();
    await server.close();
  };
  return { name, close, ...kubectlFor(name, server) };
}

const real = serversUnderTest().find(({ name }) => name === 'kube-apiserver')!;
const scenes = await Promise.all([scene('sequencer-cluster', startClusterProgram), scene(real.name, real.start)]);

test.after.always('all of it stops', async () => {
  await Promise.all(scenes.map(({ close }) => close()));
  scratch.remove();
});

/** Splits each line into words. */
const rows = (output: string): readonly (readonly string[])[] =>
  output
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/));

/** Workspace of which one component waits for a condition that the other never has. */
const waiting = `
apiVersion: se.quencer.io/v1alpha1
kind: Workspace
metadata: { name: waiting }
spec:
  networking: { dns: { zone: example.com }, ingress: { rules: [{ name: web, component: web, network: http }] } }
  components:
    - name: db
      template: { containers: [{ name: db, image: db }] }
    - name: web
      networks: [{ name: http, port: 80, targetPort: 80 }]
      dependsOn: [{ componentName: db, conditionType: Restored }]
      template: { containers: [{ name: web, image: web }] }
`;

for (const { name, said, start } of scenes) {
  test.serial(`${name}: kubectl shows which conditions a workspace waits for, and why`, async (t) => {
    const file = join(scratch.folder, 'waiting.yaml');
    writeFileSync(file, waiting);
    t.like(await said('apply', '-f', file), { code: 0 });
    const told = await eventually('it waits for a component', async () => {
      const { stdout } = await said('get', 'wsp', 'waiting', '-o', 'wide');
      return /1 of 2/.test(stdout) ? rows(stdout) : undefined;
    });
    const columns = ['UNKNOWN', 'ERROR', 'WAITING', 'IN PROGRESS'];
    t.deepEqual(told[0], ['NAME', 'PHASE', 'WAITS FOR', 'HOST', ...columns, 'CLASS', 'AGE']);
    t.true(told[1]?.includes('Components, DNS'), `${told[1]}`);
    t.regex(`${told[1]}`, /1 of 2 components ready; waiting for web \(needs db Restored\)/);
    t.like(await said('delete', 'workspace', 'waiting'), { code: 0 });
  });

  test.serial(`${name}: kubectl applies a workspace, waits, shows, describes and deletes it`, async (t) => {
    const good = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await said(...args);
      t.is(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
      t.is(stderr, '', args.join(' '));
      return stdout.trim();
    };
    t.is(await good('apply', '-f', example), 'workspace.se.quencer.io/shop created');
    t.is(
      await good('wait', '--for=condition=Ready', 'workspace/shop', '--timeout=60s'),
      'workspace.se.quencer.io/shop condition met',
    );
    await good('apply', '-f', example);
    t.is(await good('get', 'wsp', 'shop', '-o', 'jsonpath={.metadata.generation}'), '1', 'the same spec again');

    const [header, row] = rows(await good('get', 'workspaces'));
    t.deepEqual(header, ['NAME', 'PHASE', 'WAITS FOR', 'HOST', 'AGE']);
    t.deepEqual(row?.slice(0, 3), ['shop', 'Healthy', 'shop.example.com']);
    t.is(await good('get', 'wsp', '-o', 'name'), 'workspace.se.quencer.io/shop');
    t.is(await good('get', 'quencer', '-o', 'name'), 'workspace.se.quencer.io/shop');
    t.is(await good('get', 'wsp', 'shop', '-o', 'jsonpath={.status.phase}'), 'Healthy');

    const pods = rows(await good('get', 'pods', '-l', 'workspaces.sequencer.io/instance=shop'));
    t.deepEqual(
      pods.map((columns) => columns.slice(0, 4)),
      [
        ['NAME', 'READY', 'STATUS', 'RESTARTS'],
        ['shop-db', '1/1', 'Running', '0'],
        ['shop-web', '1/1', 'Running', '0'],
      ],
    );
    const services = rows(await good('get', 'services', '-l', 'workspaces.sequencer.io/instance=shop'));
    t.deepEqual(
      services.map(([service]) => service),
      ['NAME', 'shop-db-sql', 'shop-web-http'],
    );
    const described = await eventually('the events are there', async () => {
      const text = await good('describe', 'workspace', 'shop');
      return /DNSCompleted/.test(text) ? text : undefined;
    });
    t.regex(described, /Type:\s+Components\n/);
    t.regex(described, /Phase:\s+Healthy\n/);
    t.regex(described, /Events:\n\s+Type\s+Reason\s+Age\s+From\s+Message\n/);
    t.regex(described, /Normal\s+ComponentsCompleted\s+\d+s\s+sequencer\s+2 of 2 components ready/);

    const watching = await start('get', 'workspaces', '--watch');
    await eventually('the watch shows what is there', async () => /Healthy/.test(watching.lastWords()) || undefined);
    const deleted = await good('delete', '-f', example);
    t.regex(deleted, /^workspace\.se\.quencer\.io "shop" deleted/);
    await eventually('the watch shows the end', async () => /Terminating/.test(watching.lastWords()) || undefined);
    await watching.kill();

    const { code, stderr } = await said('get', 'workspace', 'shop');
    t.is(code, 1);
    t.is(stderr.trim(), 'Error from server (NotFound): workspaces.se.quencer.io "shop" not found');
    t.is(await good('get', 'pods,services', '-l', 'workspaces.sequencer.io/instance=shop', '-o', 'name'), '');
  });
}

const head = 'apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: bad }\n';
/** Mistakes: name, object, and the expected message. */
const mistakes: readonly (readonly [mistake: string, yaml: string, words: RegExp])[] = [
  [
    'a port out of range',
    `${head}spec: { components: [{ name: db, networks: [{ name: sql, port: 99999, targetPort: 1 }], template: {} }] }`,
    /spec\.components\[0\]\.networks\[0\]\.port in body should be less than or equal to 65535/,
  ],
  [
    'a wrong type',
    `${head}spec: { networking: { dns: { zone: 7 } } }`,
    /spec\.networking\.dns\.zone in body must be of type string: "integer"/,
  ],
  [
    'missing fields',
    `${head}spec: { components: [{ networks: [] }] }`,
    /\* spec\.components\[0\]\.name: Required value\n\* spec\.components\[0\]\.template: Required value/,
  ],
  ['an unknown field', `${head}spec: { nonsense: true }`, /strict decoding error: unknown field "spec\.nonsense"/],
  [
    'a path that does not begin with a slash',
    `${head}spec: { networking: { ingress: { rules: [{ name: a, path: x, component: web, network: http }] } } }`,
    /rules\[0\]\.path in body should match/,
  ],
  ['a bad name', head.replace('bad', 'Not_A_Name'), /a lowercase RFC 1123 subdomain must consist of/],
  ['an unknown kind', head.replace('Workspace', 'Workplace'), /no matches for kind "Workplace"/],
];

for (const [mistake, yaml, words] of mistakes)
  test.serial(`kubectl shows ${mistake} in the same words, whatever the server`, async (t) => {
    const file = join(scratch.folder, 'bad.yaml');
    writeFileSync(file, yaml);
    const [inMemory, byReal] = await Promise.all(scenes.map(({ said }) => said('apply', '-f', file)));
    t.is(byReal?.code, 1);
    t.regex(byReal?.stderr ?? '', words);
    t.deepEqual(inMemory, byReal);
  });
