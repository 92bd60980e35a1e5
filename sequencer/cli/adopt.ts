/** `sequencer adopt`: hands over external objects of an earlier uid. */

import { mirrorPatch, mirrorTexts, readMirror, type Seal } from '../../sdk/host/index.ts';
import {
  type Client,
  createClient,
  type JsonPatchOperation,
  patchTested,
  UserError,
  Workspace,
} from '../../sdk/index.ts';
import { type Command, commonOptions } from './command.ts';
import { connectionOf, signingOptions } from './connection.ts';
import { operatorNamespaceOf, operatorsSeal } from './operator-key.ts';

const refuse = (what: string, hint: string): UserError => new UserError('E#2042', `sequencer adopt: ${what}`, { hint });

/** Earlier uid of a workspace, with the conditions that it applies to. */
export interface Adoption {
  readonly was: string;
  /** @default all conditions of the workspace */
  readonly conditions: readonly string[];
}

/** Returns the selected conditions. @throws UserError E#2042 when there are none, or the uid is the workspace's current one */
function conditionsOf(workspace: Workspace, { was, conditions }: Adoption): readonly string[] {
  if (was === workspace.metadata.uid)
    throw refuse(
      `${was} is the uid that it has now`,
      'name the earlier uid: it stands in the marks of its external objects',
    );
  const types =
    conditions.length > 0
      ? conditions
      : (workspace.status?.conditions ?? []).map(({ type }) => type).filter((type) => type !== 'Ready');
  if (types.length === 0)
    throw refuse('it has no conditions yet', 'wait until the sequencer has seen it, or name them with --condition');
  return types;
}

/**
 * Returns the patch of the mirror that assigns a condition to an earlier uid. The content of another cluster's mirror is kept, sealed for this
 * cluster.
 * Ids of this workspace itself stay in its journal.
 */
function mirrorFor(
  workspace: Workspace,
  type: string,
  { was, seal }: { readonly was: string; readonly seal: Seal },
): readonly JsonPatchOperation[] {
  const { namespace = '', name } = workspace.metadata;
  const mirror = readMirror(seal, workspace, type);
  const known = mirror.kind === 'elsewhere' && mirror.record.uid === was ? mirror.record : undefined;
  const record = {
    ...{ cluster: seal.cluster, namespace, name, uid: was, condition: type },
    ...{ token: known?.token ?? 0, refs: known?.refs ?? [], requestMs: known?.requestMs ?? 0 },
    ...(known?.claim !== undefined && { claim: known.claim }),
    ...(known?.outcome && { outcome: known.outcome }),
    ...(known?.open && { open: known.open }),
  };
  return mirrorPatch(workspace, type, mirrorTexts(seal, record));
}

/** Records, signed, that the workspace had another uid before. @returns the conditions that it is recorded for */
export async function adoptUid(
  client: Client,
  seal: Seal,
  { workspace, ...adoption }: Adoption & { readonly workspace: Workspace },
): Promise<readonly string[]> {
  const types = conditionsOf(workspace, adoption);
  const { namespace = '', name } = workspace.metadata;
  let current = workspace;
  for (const type of types) {
    const operations = mirrorFor(current, type, { was: adoption.was, seal });
    current = await patchTested(client, { kind: Workspace, key: { namespace, name }, operations });
  }
  return types;
}

/** `sequencer adopt`. */
export const adopt: Command = {
  name: 'adopt',
  summary: 'adopt the external objects of an earlier uid of a workspace',
  operands: 'WORKSPACE',
  options: {
    was: {
      type: 'string',
      value: 'UID',
      description: 'the earlier uid: it stands in the marks of its external objects',
    },
    condition: {
      type: 'string',
      value: 'TYPE',
      multiple: true,
      description: 'only what this condition has made (default: all). Repeatable',
    },
    ...signingOptions,
    ...commonOptions,
  },
  examples: [
    ['sequencer adopt shop --was 8c4f…', 'it was made again from Git, and what bears that uid is its own'],
    ['sequencer adopt shop --was 8c4f… --condition DNS', 'only its DNS records'],
  ],
  async run({ values, lists, operands }) {
    const [name, ...more] = operands;
    if (name === undefined || more.length > 0 || values.was === undefined)
      throw refuse('wants a workspace and the uid that it had', 'sequencer adopt shop --was UID');
    const { was } = values;
    const connection = await connectionOf(values);
    const client = createClient({ connection });
    try {
      const namespace = values.namespace ?? connection.namespace ?? 'default';
      const seal = await operatorsSeal(client, operatorNamespaceOf(values, connection), 'adopt');
      const workspace = await client.get(Workspace, { namespace, name });
      const types = await adoptUid(client, seal, { workspace, was, conditions: lists.condition ?? [] });
      process.stdout.write(`adopted    what uid ${was} had: ${types.join(', ')}; the sequencer goes on from there\n`);
      for (const type of types.filter((one) => workspace.status?.guards?.[one]?.phase === 'unknown'))
        process.stdout.write(`then       sequencer resolve ${name} ${type} --retry, since it waits for an answer\n`);
      return 0;
    } finally {
      await client.close();
    }
  },
};
