/** The command `sequencer plan`: prints the changes that a run would make. */

import { ClusterIntegrationConfig, createInterrupt, IntegrationConfig } from '../../../sdk/host/index.ts';
import {
  AlreadyExistsError,
  type Client,
  ensureCrds,
  isDeleting,
  type Kind,
  type KubeObject,
  Namespace,
  NotFoundError,
  type ObjectKey,
  Secret,
  systemClock,
  UserError,
  Workspace,
} from '../../../sdk/index.ts';
import { type PlanRow, planRows } from '../../planning/plan-rows.ts';
import { readTenantConfigs } from '../../tenants/read-tenant-configs.ts';
import { configKinds, withRepresentatives } from '../../tenants/tenant-integration.ts';
import { type Command, commonOptions, type Invocation, workspaceOptions } from '../args/command.ts';
import { configFileFor, loadOperatorConfig, type OperatorConfig } from '../args/config.ts';
import { type LocatedManifest, readManifests } from '../args/manifests.ts';
import { planCode, planJson, planTable } from '../output/plan-table.ts';
import { isWorkspace, locatedError, strictValidation } from './apply.ts';
import { notesOn, refuseSettings } from './notes.ts';
import { openTargetCluster } from './target-cluster.ts';

/** Cluster and namespace of a plan. */
interface PlanCluster {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Reads the existing object; undefined without one. @throws UserError E#2050 when the server does not serve its kind */
async function existing(kind: Kind, { client, signal }: PlanCluster, key: ObjectKey): Promise<KubeObject | undefined> {
  try {
    return await client.get(kind, key, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (error.status.details?.name === key.name) return undefined;
    throw new UserError('E#2050', `${client.server} serves no ${kind.plural}: ${error.message}`, {
      hint: 'sequencer crds | kubectl apply -f - installs them; without --kubeconfig and --context, the plan is for an empty cluster in memory',
      cause: error,
    });
  }
}

const namespaceOf = ({ object: { metadata } }: LocatedManifest, namespace: string): string =>
  metadata.namespace ?? namespace;

/** Returns the object as the server would store it, by a dry run: defaulted and validated. */
async function dryRunApply(kind: Kind, manifest: LocatedManifest, place: PlanCluster): Promise<KubeObject> {
  const { client, signal } = place;
  const where = kind.namespaced ? { namespace: namespaceOf(manifest, place.namespace) } : {};
  const object = { ...manifest.object, metadata: { ...manifest.object.metadata, ...where } };
  const key = { ...where, name: object.metadata.name };
  try {
    const live = await existing(kind, place, key);
    if (live !== undefined && isDeleting(live)) return live;
    if (live === undefined) return await client.create(kind, object, { dryRun: true, signal, ...strictValidation });
    return await client.patch(
      kind,
      key,
      { type: 'merge', value: object },
      { dryRun: true, signal, ...strictValidation },
    );
  } catch (error) {
    throw await locatedError(error, { ...manifest, object });
  }
}

/** Parsed and loaded input of a plan. */
interface PlanRequest {
  readonly config: OperatorConfig;
  readonly manifests: readonly LocatedManifest[];
  /** Other objects of the files. */
  readonly others: readonly LocatedManifest[];
}

const note = (text: string): void => void process.stderr.write(`note: ${text}\n`);

async function readPlanRequest({ values, operands }: Invocation): Promise<PlanRequest> {
  if (operands.length === 0)
    throw new UserError('E#2001', 'sequencer plan: needs a file', {
      hint: 'sequencer plan my-workspace.yaml, or - for standard input',
    });
  const all = await readManifests(operands, process.stdin);
  const manifests = all.filter(({ object }) => isWorkspace(object));
  if (manifests.length === 0)
    throw new UserError(
      'E#2051',
      `there is no Workspace in ${operands.join(', ')}, only ${[...new Set(all.map(({ object }) => object.kind))].join(', ')}`,
      {
        hint: 'apiVersion: se.quencer.io/v1alpha1, kind: Workspace',
      },
    );
  const config = await loadOperatorConfig(await configFileFor(values.config));
  refuseSettings(withRepresentatives(config), manifests);
  for (const one of notesOn(config, manifests)) note(one);
  return { config, manifests, others: all.filter(({ object }) => !isWorkspace(object)) };
}

/** Kinds whose objects in the files count as applied. */
const configurationKinds: readonly Kind[] = [IntegrationConfig, ClusterIntegrationConfig, Secret];

/** Prepares an empty cluster with the kinds that a plan reads and the namespaces of the files. */
async function prepareEmptyCluster(
  { client, namespace, signal }: PlanCluster,
  { config, manifests, others }: PlanRequest,
) {
  await ensureCrds(client, configKinds(config), { signal, clock: systemClock });
  for (const name of new Set([...manifests, ...others].map((one) => namespaceOf(one, namespace))))
    await client.create(Namespace, { metadata: { name } }).catch((error: unknown) => {
      if (!(error instanceof AlreadyExistsError)) throw error;
    });
}

/** Returns the integrations of workspaces, by the configs of the cluster and those of the files. */
async function tenantsOf(place: PlanCluster, request: PlanRequest, operatorNamespace: string) {
  const { client, namespace, signal } = place;
  const { integrations, tenantIntegrations: types } = request.config;
  const replacements: KubeObject[] = [];
  for (const manifest of Object.keys(types).length > 0 ? request.others : []) {
    const { apiVersion, kind: name } = manifest.object;
    const kind = configurationKinds.find((one) => one.kind === name && (one.group === '') === (apiVersion === 'v1'));
    if (kind !== undefined) replacements.push(await dryRunApply(kind, manifest, place));
  }
  const namespaces = request.manifests.map((one) => namespaceOf(one, namespace));
  const read = { client, types, integrations, namespaces, operatorNamespace, replacements };
  return readTenantConfigs({ ...read, clock: systemClock, signal, note });
}

async function plan(invocation: Invocation, request: PlanRequest, signal: AbortSignal): Promise<readonly PlanRow[]> {
  const { kubeconfig, context, namespace } = invocation.values;
  await using target = await openTargetCluster({
    kubeconfig,
    context,
    namespace,
    clock: systemClock,
    signal,
    install: false,
  });
  const { client } = target;
  const place = { client, namespace: target.namespace, signal };
  if (target.cluster !== undefined) await prepareEmptyCluster(place, request);
  using tenants = await tenantsOf(place, request, invocation.values['operator-namespace'] ?? target.namespace);
  const rows: PlanRow[] = [];
  for (const manifest of request.manifests) {
    const workspace = (await dryRunApply(Workspace, manifest, place)) as Workspace;
    const integrations = tenants.integrationsOf(workspace);
    rows.push(...(await planRows(workspace, { client, clock: systemClock, integrations, signal })));
  }
  return rows;
}

/** `sequencer plan`. */
export const planCommand: Command = {
  name: 'plan',
  summary: 'show what each integration would do for these workspaces, without doing it',
  operands: 'FILE...',
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      description: 'table or json (default: table)',
      choices: ['table', 'json'],
    },
    kubeconfig: { type: 'string', value: 'FILE', description: 'a real cluster instead of an empty one in memory' },
    ...workspaceOptions,
    'operator-namespace': {
      type: 'string',
      value: 'NAME',
      description: 'where the Secrets of ClusterIntegrationConfigs are (default: the namespace)',
    },
    ...commonOptions,
  },
  examples: [
    ['sequencer plan my.yaml', 'as if the cluster were empty'],
    [
      'sequencer plan --kubeconfig ~/.kube/config my.yaml',
      'against the live objects; exit code 0: no changes, 2: changes, 3: unknown',
    ],
    ['helm template my | sequencer plan -o json -', 'from standard input, for programs'],
  ],
  async run(invocation) {
    const request = await readPlanRequest(invocation);
    const exit = (): never => process.exit(130);
    using interrupt = createInterrupt({ exit });
    const rows = await plan(invocation, request, interrupt.signal).catch((error: unknown) => {
      if (error !== interrupt.signal.reason) throw error;
      return exit();
    });
    const text = invocation.values.output === 'json' ? planJson(rows) : planTable(rows).join('\n');
    await new Promise((written) => process.stdout.write(`${text}\n`, written));
    return process.exit(planCode(rows)); // an abandoned plug-in may keep the process alive
  },
};
