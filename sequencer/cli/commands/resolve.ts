/** `sequencer resolve`: records the outcome of an attempt that is unknown. */

import { parseRefs, type Resolution, resolutionText, signedResolution } from '../../../sdk/host/index.ts';
import { createClient, type GuardEntry, resolveAnnotation, UserError, Workspace } from '../../../sdk/index.ts';
import { type Command, commonOptions, type Invocation } from '../args/command.ts';
import { connectionOf, signingOptions } from '../args/connection.ts';
import { operatorNamespaceOf, requireOperatorSeal } from '../args/operator-key.ts';
import { plainText } from '../output/plain-text.ts';

/** Formats the journal entry of an attempt. */
export function attemptLines(type: string, entry: GuardEntry): readonly string[] {
  const { op, key, holder, since = 'an unknown time', attempt = 1, cause, lost, refs = [], late = [], input } = entry;
  const ids = [...refs, ...late].map((ref) => JSON.stringify(ref));
  return [
    `condition  ${type}`,
    `operation  ${op}, attempt ${attempt}, key ${key}`,
    `holder     ${holder}, since ${since}${lost ? '; the journal entry was lost' : ''}`,
    ...(cause === undefined ? [] : [`cause      ${cause}`]),
    `input      ${input === undefined ? 'none was journalled' : JSON.stringify(input)}`,
    `known ids  ${ids.length === 0 ? 'none' : ids.join(', ')}`,
  ];
}

const refuse = (what: string, hint: string): UserError =>
  new UserError('E#2040', `sequencer resolve: ${what}`, { hint });

/** Parses the resolution from the options; undefined only shows the attempt. @throws UserError E#2040 for several resolutions */
export function resolutionFrom(
  { lists, flags }: Pick<Invocation, 'lists' | 'flags'>,
  token: number,
): Resolution | undefined {
  const adopted = lists.adopt ?? [];
  const resolutions: readonly Resolution[] = [
    ...(flags.has('retry') ? [{ verb: 'retry', token } as const] : []),
    ...(flags.has('orphan') ? [{ verb: 'orphan', token } as const] : []),
    ...(adopted.length === 0 ? [] : [{ verb: 'adopt', token, refs: adopted.flatMap(parseRefs) } as const]),
  ];
  if (resolutions.length > 1)
    throw refuse(
      '--retry, --adopt and --orphan exclude each other',
      'look at the third party, then choose one of them',
    );
  return resolutions[0];
}

/** Returns the journal entry of a condition whose outcome is unknown. @throws UserError E#2040 for any other */
function unknownEntry({ metadata, status }: Workspace, type: string): GuardEntry {
  const { name, namespace } = metadata;
  const entry = status?.guards?.[type];
  if (entry?.phase === 'unknown') return entry;
  const { phase = 'none' } = entry ?? {};
  throw refuse(
    `${type} of ${namespace}/${name} has no unknown attempt: its guard is ${phase === 'none' ? 'not used yet' : `"${phase}"`}`,
    `kubectl describe workspace ${name} shows its conditions`,
  );
}

/** `sequencer resolve`. */
export const resolve: Command = {
  name: 'resolve',
  summary: 'resolve an attempt whose outcome is unknown',
  operands: 'WORKSPACE CONDITION',
  options: {
    retry: { type: 'boolean', description: 'nothing was created: run the operation again' },
    adopt: {
      type: 'string',
      value: 'ID',
      multiple: true,
      description:
        'id of the object that was created: text or JSON; for one of several objects {"slot":NAME,"id":ID}. Repeatable',
    },
    orphan: { type: 'boolean', description: 'keep what exists outside, and no longer manage it' },
    ...signingOptions,
    ...commonOptions,
  },
  examples: [
    ['sequencer resolve shop DNS', 'show what is known'],
    ['sequencer resolve shop DNS --adopt rec-1', 'it was created with this id'],
    [`sequencer resolve shop DNS --adopt '{"slot":"www","id":"rec-1"}'`, 'it was created, and is the object named www'],
    ['sequencer resolve shop DNS --retry', 'it was not created'],
  ],
  async run(invocation) {
    const { values, operands } = invocation;
    const [name, type, ...more] = operands;
    if (name === undefined || type === undefined || more.length > 0)
      throw refuse('needs a workspace and a condition', 'sequencer resolve shop DNS');
    const connection = await connectionOf(values);
    const client = createClient({ connection });
    try {
      const namespace = values.namespace ?? connection.namespace ?? 'default';
      const workspace = await client.get(Workspace, { namespace, name });
      const entry = unknownEntry(workspace, type);
      process.stdout.write(`${plainText(attemptLines(type, entry).join('\n'))}\n`);
      const resolution = resolutionFrom(invocation, entry.token);
      if (resolution === undefined) return 0;
      const signed =
        resolution.verb === 'adopt'
          ? signedResolution(
              await requireOperatorSeal(client, operatorNamespaceOf(values, connection), 'resolve'),
              { workspace, type },
              resolution,
            )
          : resolution;
      const annotations = { [resolveAnnotation(type)]: resolutionText(signed) };
      await client.patch(
        Workspace,
        { namespace, name },
        { type: 'merge', value: { metadata: { uid: workspace.metadata.uid, annotations } } },
      );
      process.stdout.write(`answered   ${resolutionText(resolution)}; the sequencer continues from there\n`);
      return 0;
    } finally {
      await client.close();
    }
  },
};
