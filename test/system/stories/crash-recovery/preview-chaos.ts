/** Story of preview environments whose sequencers are killed, and whose third parties stop and lose what they know. */

import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { GuardTimes, NewObject, Workspace } from '../../../../sdk/index.ts';
import { startKubelet } from '../../real/kubelet.ts';
import type { RealServer } from '../../real/server.ts';
import { until } from '../../real/until.ts';
import { connectTo, isReady } from '../sequencing.ts';
import { steadily } from './chaos.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { type PreviewParties, type PreviewThings, previewThings, startPreviewParties } from './preview-parties.ts';
import type { PreviewSequencerOptions } from './preview-sequencer.ts';
import { startVictim, type Victim } from './victim.ts';

/** Parameters of the story. */
export interface PreviewChaosPlot {
  readonly server: RealServer;
  readonly workspaces: number;
  /** ms of trouble while workspaces become ready, and while they are deleted. */
  readonly chaos: { readonly up: number; readonly down: number };
  readonly times: Partial<GuardTimes>;
  /** ms within which every third party has to answer. */
  readonly deadline: number;
  readonly progress: (line: string) => void;
}

/** ms between two kills; between two troubles of third parties; for which one stands still. */
const [killInterval, troubleInterval, stall] = [1_000, 2_000, 1_500];

/** Troubles of third parties, which come in turns. */
const troubles: readonly (readonly [name: string, make: (parties: PreviewParties) => Promise<void>])[] = [
  ['PostgreSQL stops', ({ postgres }) => stalled(postgres)],
  ['Caddy stops', ({ caddy }) => stalled(caddy)],
  ['Caddy loses its routes', ({ caddy }) => caddy.restart()],
  ['bind stops', ({ names }) => stalled(names)],
  ['bind is killed', ({ names }) => names.restart()],
  ['Pebble stops', ({ pebble }) => stalled(pebble)],
  ['versitygw stops', ({ s3 }) => stalled(s3.versitygw)],
  ['NATS stops', ({ stream }) => stalled(stream.nats)],
  ['Alertmanager stops', ({ alertmanager }) => stalled(alertmanager)],
];

async function stalled(party: { pause(): Promise<void>; resume(): void }): Promise<void> {
  await party.pause();
  await sleep(stall);
  party.resume();
}

/** A workspace that asks for everything. */
const member = (name: string, zone: string): NewObject<Workspace> => ({
  metadata: { namespace: 'default', name },
  spec: {
    components: [
      {
        name: 'web',
        networks: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
        template: {
          containers: [
            {
              name: 'web',
              image: 'shop',
              env: [{ name: 'D', valueFrom: { secretKeyRef: '${outputs::Database.uri}' } }],
            },
          ],
        },
      },
    ],
    networking: {
      dns: { zone },
      ingress: { className: 'none', rules: [{ name: 'web', path: '/', component: 'web', network: 'http' }] },
    },
    integrations: { 'postgres-database': {}, 'acme-certificate': {}, 's3-bucket': {} },
  },
});

/** Makes trouble for so long; resolves with what was done, counted. */
async function underChaos(ms: number, replicas: readonly Victim[], parties: PreviewParties): Promise<string> {
  const stop = new AbortController();
  const ending = sleep(ms).then(() => stop.abort());
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const acts: Promise<void>[] = [];
  let inTrouble = Promise.resolve();
  const kill = (nth: number): void => {
    count('kills');
    acts.push(replicas[nth % replicas.length]!.killAndRestart());
  };
  const trouble = (nth: number): void => {
    const [name, make] = troubles[(nth - 1) % troubles.length]!;
    inTrouble = inTrouble.then(() => make(parties)).then(() => void count(name));
  };
  await Promise.all([
    steadily(killInterval, stop.signal, kill),
    steadily(troubleInterval, stop.signal, trouble),
    ending,
  ]);
  await Promise.all([...acts, inTrouble]);
  return [...counts].map(([what, times]) => `${what} ${times}`).join(', ');
}

const countsOf = (things: PreviewThings): string =>
  Object.entries(things)
    .map(([what, list]) => `${what} ${list.length}`)
    .join(', ');

/** Returns what there has to be of workspaces: one of everything for each, no challenge and no silence. */
function wantedOf(members: readonly Workspace[], zone: string): Omit<PreviewThings, 'came' | 'went'> {
  const names = members.map(({ metadata }) => metadata.name).sort();
  const hosts = names.map((name) => `${name}.${zone}`);
  const output = (condition: string, name: string) =>
    members.map(({ status }) => status?.outputs?.[condition]?.values?.[name] ?? '').sort();
  const [databases, buckets] = [output('Database', 'database'), output('Bucket', 'bucket')];
  const inCluster = { pods: names, services: names, certificates: hosts };
  const inDns = { addresses: hosts, owners: hosts.map((host) => `_op-owner.${host}`), challenges: [] };
  const elsewhere = { buckets, users: buckets, silences: [] };
  return { ...inCluster, ...inDns, ...elsewhere, routes: hosts, databases, roles: databases, opened: databases };
}

/** Waits until the things are as they have to be: what was lost is corrected at the next look. */
async function settle(t: ExecutionContext, read: () => Promise<PreviewThings>, wanted: PreviewThings): Promise<void> {
  const sorted = (things: PreviewThings) => JSON.stringify(Object.entries(things).sort());
  const state: { last?: PreviewThings } = {};
  const look = async () => {
    state.last = await read();
    return sorted(state.last) === sorted(wanted) || undefined;
  };
  await until(look, { deadline: 90_000, interval: 250, message: () => 'things' }).catch(() => undefined);
  t.deepEqual(state.last, wanted);
}

async function credentialOf({ postgres }: PreviewParties): Promise<PreviewSequencerOptions['postgres']> {
  await postgres.sql(`CREATE ROLE sequencer LOGIN CREATEDB CREATEROLE PASSWORD 'of the story'`);
  return { host: postgres.host, port: postgres.port, user: 'sequencer', password: 'of the story' };
}

async function optionsOf(plot: PreviewChaosPlot, parties: PreviewParties): Promise<PreviewSequencerOptions> {
  const { caddy, names, pebble, s3, stream, alertmanager } = parties;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    ...{ kubeconfig: plot.server.kubeconfigPath, times: plot.times, deadline: plot.deadline },
    postgres: await credentialOf(parties),
    caddy: { url: caddy.url, server: caddy.server },
    acme: {
      ...{ directory: pebble.directory, ca: pebble.ca },
      accountKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
    dns: { server: { host: names.host, port: names.port }, key: names.key },
    s3: { server: s3.address, iam: s3.versitygw.iam },
    nats: { address: stream.nats.address, user: stream.user, password: stream.password },
    alertmanager: { url: alertmanager.url },
  };
}

/**
 * Two sequencers walk the same workspaces, each with eight conditions: a pod and a service, a database, a bucket, a certificate, a name, a route, a silence while
 * it changes, and a message when it came and when it went. One of them is killed every second, and third parties stop, are killed or lose their state in
 * turns. In the end each workspace has exactly one of everything, and after deletion nothing is there but one message of each.
 */
export async function tellOfPreviewChaos(t: ExecutionContext, plot: PreviewChaosPlot): Promise<void> {
  const { server, workspaces, chaos, progress } = plot;
  const beginning = performance.now();
  const tell = (what: string): void => {
    const line = `${((performance.now() - beginning) / 1_000).toFixed(1)} s: ${what}`;
    t.log(line);
    progress(line);
  };
  const parties = await startPreviewParties(t);
  const { zone } = parties.names;
  const client = await connectTo(server);
  const kubelet = startKubelet(server.api);
  const options = await optionsOf(plot, parties);
  const replicas = await Promise.all([1, 2].map(() => startVictim(options, 'preview-sequencer.ts')));
  const hopeless = () => replicas.map((one) => one.ending()).find((ending) => ending !== undefined);
  const crowd: Crowd = await startCrowd({ client, patience: 60_000, hopeless });
  const read = () => previewThings(client, parties);
  try {
    await crowd.createAll(workspaces, zone, member);
    tell(await underChaos(chaos.up, replicas, parties));
    await crowd.until('all are ready', (members) => members.length === workspaces && members.every(isReady));
    const came = crowd
      .members()
      .map(({ metadata }) => metadata.name)
      .sort();
    await settle(t, read, { ...wantedOf(crowd.members(), zone), came, went: [] });
    tell(`${workspaces} are Ready: ${countsOf(await read())}`);
    const [deleting, trouble] = [crowd.deleteAll(), underChaos(chaos.down, replicas, parties)];
    await deleting;
    tell(await trouble);
    await crowd.until('all are gone', (members) => members.length === 0);
    await settle(t, read, { ...wantedOf([], zone), came, went: came });
    tell(`all are gone: ${countsOf(await read())}`);
  } finally {
    await Promise.all(replicas.map((one) => one.close()));
    await crowd.close();
    await kubelet.stop();
    await client.close();
  }
}
