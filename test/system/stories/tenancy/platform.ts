/** A platform engineer's folder: a config that opens two integration types to tenants, and what installs its operator. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parse, stringify } from 'yaml';
import { binaryPath } from '../../real/binaries.ts';
import { createScratch, type OwnedProcess, startProcess } from '../../real/owned-process.ts';
import type { Postgres } from '../../real/programs/postgres.ts';
import type { PowerdnsProcess } from '../../real/programs/powerdns.ts';
import { until } from '../../real/until.ts';
import { kubeconfigFor } from '../access/rights.ts';
import { root, run, type Said, sequencerArguments } from '../programs.ts';
import type { StoryServer } from '../servers.ts';

/** Third parties that tenants have accounts at. */
export interface ThirdParties {
  /** Name servers by name: each has a key of its own. */
  readonly names: Readonly<Record<string, PowerdnsProcess>>;
  readonly postgres: Postgres;
}

/** A running operator. */
export interface Operator {
  readonly program: OwnedProcess;
  /** Sends SIGTERM, and returns how it has ended. */
  stop(): Promise<string>;
}

/** Namespace that the operator is installed in. */
export const operatorNamespace = 'sequencer-system';

const configOf = ({ names, postgres }: ThirdParties): string => `
import { postgresDatabase } from 'workspace-sequencer/integrations/postgres';
import { powerdnsDns } from 'workspace-sequencer/integrations/powerdns/dns';
import { defineTenantIntegration } from 'workspace-sequencer/sequencer';
import * as z from 'zod';

const servers = ${JSON.stringify(Object.fromEntries(Object.entries(names).map(([name, { url }]) => [name, url])))};
const database = ({ user }, { password }) =>
  postgresDatabase({ server: { host: '${postgres.host}', port: ${postgres.port}, user, password } });
const { outputs, permissions } = database({ user: 'any' }, { password: 'any' });

export const integrations = [];
export const tenantIntegrations = {
  'powerdns-dns': defineTenantIntegration({
    condition: 'DNS',
    handles: ({ spec }) => spec.networking?.dns !== undefined,
    options: z.strictObject({ server: z.enum(Object.keys(servers)), zone: z.string() }),
    mutableOptions: z.strictObject({ target: z.ipv4(), ttl: z.coerce.number().int().min(60).default(300) }),
    secrets: ['apiKey'],
    create: ({ server, zone }, { apiKey }, mutable) => powerdnsDns({ url: servers[server], apiKey, zone, ...mutable }),
  }),
  'postgres-database': defineTenantIntegration({
    condition: 'Database',
    handles: ({ spec }) => spec.integrations?.['postgres-database'] !== undefined,
    outputs,
    permissions,
    options: z.strictObject({ user: z.string() }),
    secrets: ['password'],
    create: database,
  }),
};
`;

/** Returns a folder of a project with that config, and functions that run commands in it. */
export function aPlatform(t: ExecutionContext, server: StoryServer, thirdParties: ThirdParties) {
  const { folder, remove } = createScratch('platform');
  t.teardown(remove);
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['workspace-sequencer', root],
    ['zod', join(root, 'node_modules/zod')],
  ] as const)
    symlinkSync(target, join(folder, 'node_modules', name), 'dir');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'sequencer.config.js'), configOf(thirdParties));

  const good = async (said: Promise<Said>): Promise<string> => {
    const { code, stdout, stderr } = await said;
    t.is(code, 0, stdout + stderr);
    return stdout;
  };
  const within = { cwd: folder, env: { HOME: folder, KUBECONFIG: server.kubeconfigPath } };
  const kubectl = (...args: readonly string[]) => good(run(binaryPath('kubectl'), args, within));
  const sequencer = (command: string, ...args: readonly string[]) =>
    good(run(process.execPath, sequencerArguments(command, ...args), within));

  /** Runs the program of the installed Deployment with the installed config as the installed account, until the test ends or it is stopped. */
  const operator = async (): Promise<Operator> => {
    const installed = async (resource: string, name: string) =>
      parse(await kubectl('-n', operatorNamespace, 'get', resource, name, '-o', 'yaml'));
    mkdirSync(join(folder, 'config'), { recursive: true });
    for (const [file, text] of Object.entries((await installed('configmap', 'sequencer-config')).data))
      writeFileSync(join(folder, 'config', file), String(text));
    const { template } = (await installed('deployment', 'sequencer')).spec;
    const [command, ...args] = template.spec.containers[0].args as readonly string[];
    const account = { namespace: operatorNamespace, name: template.spec.serviceAccountName as string };
    const kubeconfig = parse(readFileSync(await kubeconfigFor(t, server, account), 'utf8'));
    kubeconfig.contexts[0].context.namespace = operatorNamespace; // as in a pod
    const kubeconfigPath = join(folder, 'operator');
    writeFileSync(kubeconfigPath, stringify(kubeconfig), { mode: 0o600 });
    const flags = args.map((arg) => arg.replace('port=8080', 'port=0'));
    const program = await startProcess({
      name: 'operator',
      command: process.execPath,
      args: sequencerArguments(command!, ...flags, '--kubeconfig', kubeconfigPath),
      folder,
    });
    t.teardown(() => program.kill());
    return {
      program,
      async stop() {
        process.kill(program.pid, 'SIGTERM');
        return until(async () => program.ending, { message: () => `it does not end:\n${program.lastWords()}` });
      },
    };
  };
  return { folder, good, kubectl, sequencer, operator, within };
}
