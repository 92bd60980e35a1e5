import {
  type Client,
  type Integration,
  isDeleting,
  NotFoundError,
  type ObjectKey,
  systemClock,
  UserError,
  Workspace,
} from '../../../sdk/index.ts';
import { type Command, commonOptions, type Invocation, workspaceOptions } from '../args/command.ts';
import { configFor } from '../args/config.ts';
import { type LocatedManifest, readManifests } from '../args/manifests.ts';
import { type PlanRow, planRows } from '../output/plan-rows.ts';
import { planCode, planJson, planTable } from '../output/plan-table.ts';
import { createInterrupt } from '../process/interrupt.ts';
import { isWorkspace, strict, told } from './apply.ts';
import { notesOn, refuseSettings } from './notes.ts';
import { openTargetCluster } from './target-cluster.ts';

/** Cluster and namespace of a plan. */
interface Place {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Reads the existing workspace; undefined when there is none. @throws UserError E#2050 when the server does not serve workspaces */
async function existing({ client, signal }: Place, key: ObjectKey): Promise<Workspace | undefined> {
  try {
    return await client.get(Workspace, key, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (error.status.details?.name === key.name) return undefined;
    throw new UserError('E#2050', `${client.server} serves no workspaces: ${error.message}`, {
      hint: 'sequencer crds | kubectl apply -f - installs them; without --kubeconfig and --context, the plan is for an empty cluster in memory',
      cause: error,
    });
  }
}

/** Returns the workspace as the server would store it, by a dry run: defaulted and validated. */
async function wouldBe(manifest: LocatedManifest, place: Place): Promise<Workspace> {
  const { client, namespace, signal } = place;
  const object = { ...manifest.object, metadata: { namespace, ...manifest.object.metadata } } as Workspace;
  const key = { namespace: object.metadata.namespace ?? namespace, name: object.metadata.name };
  try {
    const there = await existing(place, key);
    if (there !== undefined && isDeleting(there)) return there;
    if (there === undefined) return await client.create(Workspace, object, { dryRun: true, signal, ...strict });
    return await client.patch(Workspace, key, { type: 'merge', value: object }, { dryRun: true, signal, ...strict });
  } catch (error) {
    throw await told(error, { ...manifest, object });
  }
}

/** Parsed and loaded input of a plan. */
interface PlanRequest {
  readonly manifests: readonly LocatedManifest[];
  readonly integrations: readonly Integration[];
}

async function readScript({ values, operands }: Invocation): Promise<PlanRequest> {
  if (operands.length === 0)
    throw new UserError('E#2001', 'sequencer plan: wants a file', {
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
  const integrations = await configFor(values.config);
  refuseSettings(integrations, manifests);
  for (const note of notesOn(integrations, manifests)) process.stderr.write(`note: ${note}\n`);
  return { manifests, integrations };
}

async function plan(
  invocation: Invocation,
  { manifests, integrations }: PlanRequest,
  signal: AbortSignal,
): Promise<readonly PlanRow[]> {
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
  const rows: PlanRow[] = [];
  for (const manifest of manifests) {
    const workspace = await wouldBe(manifest, { client, namespace: target.namespace, signal });
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
    ...commonOptions,
  },
  examples: [
    ['sequencer plan my.yaml', 'as if the cluster were empty'],
    [
      'sequencer plan --kubeconfig ~/.kube/config my.yaml',
      'against what is there; exit code 0: nothing, 2: something, 3: unknown',
    ],
    ['helm template my | sequencer plan -o json -', 'from standard input, for programs'],
  ],
  async run(invocation) {
    const script = await readScript(invocation);
    const exit = (): never => process.exit(130);
    using interrupt = createInterrupt({ source: process, clock: systemClock, exit });
    const rows = await plan(invocation, script, interrupt.signal).catch((error: unknown) => {
      if (error !== interrupt.signal.reason) throw error;
      return exit();
    });
    const text = invocation.values.output === 'json' ? planJson(rows) : planTable(rows).join('\n');
    await new Promise((written) => process.stdout.write(`${text}\n`, written));
    return process.exit(planCode(rows)); // a plug-in that was given up may hold the process
  },
};
