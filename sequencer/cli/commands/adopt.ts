/** `sequencer adopt`: assigns external objects of an earlier uid to a workspace. */

import {
  decodeMirror,
  describeValue,
  encodeMirror,
  mirrorPatch,
  readMirror,
  type Seal,
} from '../../../sdk/host/index.ts';
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
import { operatorNamespaceOf, requireOperatorSeal } from '../args/operator-key.ts';

const refuse = (what: string, hint: string): UserError => new UserError('E#2042', `sequencer adopt: ${what}`, { hint });

/** Earlier uid of a workspace, with the conditions that it applies to. */
export interface Adoption {
  readonly was: string;
  /** @default all conditions of the workspace */
  readonly conditions: readonly string[];
  /** Use of ids in mirrors that are signed with a lost key. @default refused where there are any */
  readonly ids?: 'trust' | 'search';
}

type UnverifiedRecord = Pick<MirrorRecord, 'token' | 'refs' | 'requestMs'> &
  Pick<Partial<MirrorRecord>, 'claim' | 'outcome' | 'open' | 'formerly'>;

/** Returns the records of a mirror whose seal is lost, if it has the operator's format. Any user may have written it, so a person has to check it. */
function unverified(workspace: Workspace, type: string): UnverifiedRecord {
  const head = JSON.parse(workspace.metadata.annotations?.[mirrorAnnotation(type)] ?? '{}');
  const { refs, claim, open, token } = decodeMirror(workspace, type, head) ?? head;
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

/** Returns the record of a lost seal whose ids a person has confirmed. @throws UserError E#2042 with the ids, without the confirmation */
function lookedAt(workspace: Workspace, type: string, ids: Adoption['ids']): UnverifiedRecord | undefined {
  if (ids === 'search') return undefined;
  const known = unverified(workspace, type);
  if (ids === 'trust' || (known.refs.length === 0 && known.open === undefined)) return known;
  throw refuse(
    `${mirrorAnnotation(type)} is signed with a lost key, so that any user may have written it. It names ${JSON.stringify(known.refs).slice(0, 2000)}`,
    'look at the third party: --ids trust where these are the workspace’s; --ids search looks for marks only, and what has none (key, opaque) is made anew',
  );
}

/** Returns the selected conditions. @throws UserError E#2042 when there are none, or one is not the workspace's */
function conditionsOf({ status }: Workspace, { conditions }: Adoption): readonly string[] {
  const known = (status?.conditions ?? []).map(({ type }) => type).filter((type) => type !== 'Ready');
  const unknown = conditions.find((type) => known.length > 0 && !known.includes(type));
  if (unknown !== undefined)
    throw refuse(`it has no condition ${describeValue(unknown)}`, `it has ${known.join(', ')}: name one of these`);
  const types = conditions.length > 0 ? conditions : known;
  if (types.length === 0)
    throw refuse('it has no conditions yet', 'wait until the sequencer has seen it, or name them with --condition');
  return types;
}

/** Refuses a uid whose adoption would replace the ids of another one. @throws UserError E#2042 */
function checkUid(
  workspace: Workspace,
  types: readonly string[],
  { was, seal }: Pick<Adoption, 'was'> & { readonly seal: Seal },
): void {
  for (const type of types) {
    const uid = formerUidOf(seal, workspace, type);
    if (uid !== undefined && uid !== was)
      throw refuse(
        `${mirrorAnnotation(type)} holds the ids of workspace uid ${uid}, which would be lost; found --was ${was}`,
        `--was ${uid}; or --condition with the conditions that uid ${was} had, without ${type}`,
      );
  }
}

/** Returns the signed record of an earlier workspace of this name that the sequencer has not taken over yet, whatever this one has begun. */
function earlierRecord(seal: Seal, { status: _, ...workspace }: Workspace, type: string): MirrorRecord | undefined {
  const mirror = readMirror(seal, workspace, type);
  return mirror.kind === 'otherCluster' || mirror.kind === 'predecessor' ? mirror.record : undefined;
}

/** Returns the uid of the earlier workspace that the mirror of a condition names, signed or with the key lost. */
const formerUidOf = (seal: Seal, workspace: Workspace, type: string): string | undefined =>
  earlierRecord(seal, workspace, type)?.uid ?? lostSealOf(seal, workspace, type)?.uid;

/**
 * Returns the patch of the mirror that assigns a condition to an earlier uid. The mirror of an earlier workspace is kept, that of another cluster
 * sealed for this one.
 * Ids of this workspace itself stay in its journal.
 */
function mirrorFor(
  workspace: Workspace,
  type: string,
  { was, seal, ids }: Pick<Adoption, 'was' | 'ids'> & { readonly seal: Seal },
): readonly JsonPatchOperation[] {
  const { namespace = '', name, uid: heir = '' } = workspace.metadata;
  const isLost = lostSealOf(seal, workspace, type) !== undefined;
  const known = isLost ? lookedAt(workspace, type, ids) : earlierRecord(seal, workspace, type);
  const record = {
    ...{ cluster: seal.cluster, namespace, name, uid: was, heir, condition: type },
    ...{ token: known?.token ?? 0, refs: known?.refs ?? [], requestMs: known?.requestMs ?? 0 },
    ...(known?.claim !== undefined && { claim: known.claim }),
    ...(known?.formerly !== undefined && { formerly: known.formerly }),
    ...(known?.outcome && { outcome: known.outcome }),
    ...(known?.open && { open: known.open }),
  };
  return mirrorPatch(workspace, type, encodeMirror(seal, record));
}

/** Records, signed, that the workspace had another uid before. @returns the conditions that it is recorded for */
export async function adoptUid(
  client: Client,
  seal: Seal,
  { workspace, ...adoption }: Adoption & { readonly workspace: Workspace },
): Promise<readonly string[]> {
  if (adoption.was === workspace.metadata.uid)
    throw refuse(
      `${adoption.was} is the uid that it has now`,
      'name the earlier uid: it stands in the marks of its external objects',
    );
  const types = conditionsOf(workspace, adoption);
  checkUid(workspace, types, { ...adoption, seal });
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
      description: 'of ids that are signed with a lost key: trust them, or search for marks only',
      choices: ['trust', 'search'],
    },
    ...signingOptions,
    ...commonOptions,
  },
  examples: [
    ['sequencer adopt shop --was 8c4f…', 'it was made again from Git, and what bears that uid is its own'],
    ['sequencer adopt shop --was 8c4f… --condition DNS', 'only its DNS records'],
    ['sequencer adopt shop --was 8c4f… --ids trust', 'the key of the seal was lost, and the ids were looked at'],
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
      const seal = await requireOperatorSeal(client, operatorNamespaceOf(values, connection), 'adopt');
      const workspace = await client.get(Workspace, { namespace, name });
      const ids = values.ids as Adoption['ids'];
      const adoption = { workspace, was, conditions: lists.condition ?? [], ...(ids && { ids }) };
      const types = await adoptUid(client, seal, adoption);
      process.stdout.write(`adopted    what uid ${was} had: ${types.join(', ')}; the sequencer continues from there\n`);
      for (const type of types.filter((one) => workspace.status?.guards?.[one]?.phase === 'unknown'))
        process.stdout.write(`then       sequencer resolve ${name} ${type} --retry, since it waits for an answer\n`);
      return 0;
    } finally {
      await client.close();
    }
  },
};
