import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createClient, loadConnection, Workspace } from '../../../sdk/index.ts';
import { freePorts } from '../real/free-ports.ts';
import { createScratch, startProcess } from '../real/owned-process.ts';
import { until } from '../real/until.ts';
import { root, sequencerArguments, startClusterProgram } from '../stories/programs.ts';
import { built } from './recipes.ts';

const folder = built('collector');

/** Collector that takes OTLP over HTTP, and prints each span. */
const configOf = (port: number): string =>
  JSON.stringify({
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: 'detailed', sampling_initial: 100_000 } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } },
    },
  });

/** Spans as the collector prints them. */
const spansIn = (log: string) =>
  [...log.matchAll(/Trace ID {7}: (\w{32})\s+Parent ID {6}: (\w{0,16})\s+ID {13}: (\w{16})\s+Name {11}: (\S+)/g)].map(
    ([, trace, parent, id, name]) => ({ trace, parent, id, name }),
  );

(folder === undefined ? test.skip : test)(
  'an OpenTelemetry collector takes the traces of `sequencer run`: each request belongs to its walk',
  async (t) => {
    const scratch = createScratch('otlp');
    const [port] = (await freePorts(1)) as [number];
    const config = join(scratch.folder, 'config.yaml');
    writeFileSync(config, configOf(port));
    const args = ['--config', `file:${config}`];
    const start = (name: string, command: string, given: readonly string[]) =>
      startProcess({ name, command, args: given, folder: scratch.folder });
    const collector = await start('collector', join(folder!, 'collector'), args);
    const cluster = await startClusterProgram();
    const flags = ['--kubeconfig', cluster.kubeconfigPath, '--config', join(root, 'deploy/sequencer.config.js')];
    const operator = await start(
      'operator',
      process.execPath,
      sequencerArguments('run', ...flags, '--otlp', `http://127.0.0.1:${port}`),
    );
    const client = createClient({ connection: await loadConnection({ kubeconfig: cluster.kubeconfigPath }) });
    t.teardown(async () => {
      await client.close();
      await Promise.all([operator.kill(), collector.kill(), cluster.close()]);
      scratch.remove();
    });
    const component = { name: 'web', template: { containers: [{ name: 'web', image: 'web' }] } };
    const make = () =>
      client.create(Workspace, { metadata: { namespace: 'default', name: 'shop' }, spec: { components: [component] } });
    await until(make, { message: () => `no workspace within a minute:\n${operator.lastWords()}` });
    const walked = async () => {
      const log = readFileSync(join(scratch.folder, 'collector.log'), 'utf8');
      const spans = spansIn(log);
      const walks = spans.filter(({ name }) => name === 'controller-reconcile');
      const inWalk = spans.filter(
        ({ name, parent }) => name === 'kubernetes-patch' && walks.some(({ id }) => id === parent),
      );
      return inWalk.length > 0 ? { log, spans } : undefined;
    };
    const message = () =>
      `no walk with its patches within a minute:\n${operator.lastWords()}\n${collector.lastWords()}`;
    const { log, spans } = await until(walked, { message });
    t.log(`${spans.length} spans: ${[...new Set(spans.map(({ name }) => name))].join(', ')}`);
    t.regex(log, /-> service\.name: Str\(sequencer\)/);
    t.false(readFileSync(join(scratch.folder, 'operator.log'), 'utf8').includes('dropped'));
  },
);
