/** `sequencer adopt`: hands over external objects of an earlier uid. */

import { mirrorPatch, mirrorTexts, readMirror, type Seal, wholeRecord } from '../../../sdk/host/index.ts';
import {
  type Client,
  createClient,
  type JsonPatchOperation,
  type MirrorRecord,
  mirrorAnnotation,
  patchTested,
  UserError,
  Workspace,
} from '../../../sdk/index.ts';
import { lostSealOf } from '../../engine/mirrors/lost-seal.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { connectionOf, signingOptions } from '../args/connection.ts';
import { operatorNamespaceOf, operatorsSeal } from '../args/operator-key.ts';

const refuse = (what: string, hint: string): UserError => new UserError('E#2042', `sequencer adopt: ${what}`, { hint });

/** Earlier uid of a workspace, with the conditions that it applies to. */
export interface Adoption {
  readonly was: string;
  /** @default all conditions of the workspace */
  readonly conditions: readonly string[];
  /** Use of ids in mirrors that are signed with a lost key. @default refused where there are any */
  readonly ids?: 'believe' | 'search';
}

type Known = Pick<MirrorRecord, 'token' | 'refs' | 'requestMs'> &
  Pick<Partial<MirrorRecord>, 'claim' | 'outcome' | 'open'>;

/** Returns what the mirror of a lost seal says, as far as it has the shape of the operator's. Any user may have written it: a person has to look first. */
function unverified(workspace: Workspace, type: string): Known {
  const head = JSON.parse(workspace.metadata.annotations?.[mirrorAnnotation(type)] ?? '{}');
  const { refs, claim, open, token } = wholeRecord(workspace, type, head) ?? head;
  const ids = (Array.isArray(refs) ? refs : []).filter((ref) => typeof ref === 'object' && ref !== null);
  const isOpen = [open?.op, open?.key, open?.holder].every((text) => typeof text === 'string');
  return {
    token: Number.isSafeInteger(token) && token > 0 ? token : 0,
    refs: ids,
    requestMs: 0,
    ...(typeof claim === 'string' && { claim }),
    ...(isOpen && { open }),
  };
}

/** Returns the record of a lost seal whose ids a person has checked. @throws UserError E#2042 with the ids, where the person has not said what they are */
function lookedAt(workspace: Workspace, type: string, ids: Adoption['ids']): Known | undefined {
  if (ids === 'search') return undefined;
  const known = unverified(workspace, type);
  if (ids === 'believe' || (known.refs.length === 0 && known.open === undefined)) return known;
  throw refuse(
    `${mirrorAnnotation(type)} is signed with a lost key, so that any user may have written it. It names ${JSON.stringify(known.refs).slice(0, 2000)}`,
    'look at the third party: --ids believe where these are the workspace’s; --ids search looks for marks only, and what has none (key, opaque) is made anew',
  );
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
  { was, seal, ids }: Pick<Adoption, 'was' | 'ids'> & { readonly seal: Seal },
): readonly JsonPatchOperation[] {
  const { namespace = '', name } = workspace.metadata;
  const mirror = readMirror(seal, workspace, type);
  const sealed = mirror.kind === 'elsewhere' && mirror.record.uid === was ? mirror.record : undefined;
  const known = lostSealOf(seal, workspace, type)?.uid === was ? lookedAt(workspace, type, ids) : sealed;
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
    const operations = mirrorFor(current, type, { ...adoption, seal });
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
    ids: {
      type: 'string',
      value: 'USE',
      description: 'of ids that are signed with a lost key: believe them, or search for marks only',
      choices: ['believe', 'search'],
    },
    ...signingOptions,
    ...commonOptions,
  },
  examples: [
    ['sequencer adopt shop --was 8c4f…', 'it was made again from Git, and what bears that uid is its own'],
    ['sequencer adopt shop --was 8c4f… --condition DNS', 'only its DNS records'],
    ['sequencer adopt shop --was 8c4f… --ids believe', 'the key of the seal was lost, and the ids were looked at'],
  ],
  async run({ values, lists, operands }) {
    const [name, ...more] = operands;
    if (name === undefined || more.length > 0 || values.was === undefined)
      throw refuse('needs a workspace and the uid that it had', 'sequencer adopt shop --was UID');
    const { was } = values;
    const connection = await connectionOf(values);
    const client = createClient({ connection });
    try {
      const namespace = values.namespace ?? connection.namespace ?? 'default';
      const seal = await operatorsSeal(client, operatorNamespaceOf(values, connection), 'adopt');
      const workspace = await client.get(Workspace, { namespace, name });
      const ids = values.ids as Adoption['ids'];
      const adoption = { workspace, was, conditions: lists.condition ?? [], ...(ids && { ids }) };
      const types = await adoptUid(client, seal, adoption);
      process.stdout.write(`adopted    what uid ${was} had: ${types.join(', ')}; the sequencer goes on from there\n`);
      for (const type of types.filter((one) => workspace.status?.guards?.[one]?.phase === 'unknown'))
        process.stdout.write(`then       sequencer resolve ${name} ${type} --retry, since it waits for an answer\n`);
      return 0;
    } finally {
      await client.close();
    }
  },
};
