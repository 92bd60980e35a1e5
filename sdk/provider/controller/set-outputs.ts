/** Writes the outputs of a condition. */

import { isSameJson } from '../../api/json.ts';
import { add, type JsonPatchOperation, pointer, remove, test } from '../../api/patch.ts';
import type { Workspace, WorkspaceStatus } from '../../api/workspace.ts';
import { StaleError } from '../../errors.ts';
import { mistakeInOutputs, type Outputs } from '../contract/outputs.ts';
import type { Session } from '../journal/session.ts';
import { throwIfMistake } from '../value-mistakes.ts';

type StoredOutputs = NonNullable<WorkspaceStatus['outputs']>[string];

/** Returns outputs as the status holds them; undefined when there is none. */
function storedOutputs(outputs: Outputs): StoredOutputs | undefined {
  const values = Object.entries(outputs).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const secrets = Object.entries(outputs).flatMap(([name, value]) =>
    typeof value === 'object' ? [[name, { name: value.secretKeyRef.name, key: value.secretKeyRef.key }] as const] : [],
  );
  if (values.length + secrets.length === 0) return undefined;
  return {
    ...(values.length > 0 && { values: Object.fromEntries(values) }),
    ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }),
  };
}

/** Returns the patch of `/status` that sets the outputs of one condition; those of others may change meanwhile. */
function outputsPatch(
  { metadata, status }: Workspace,
  type: string,
  next: StoredOutputs | undefined,
): readonly JsonPatchOperation[] {
  const held = status?.outputs?.[type];
  if (isSameJson(held, next)) return [];
  const uid = test('/metadata/uid', metadata.uid);
  const path = pointer('status', 'outputs', type);
  if (next === undefined) return [uid, test(path, held), remove(path)];
  if (status === undefined) return [uid, test('/status', null), add('/status', { outputs: { [type]: next } })];
  if (status.outputs === undefined)
    return [uid, test('/status/outputs', null), add('/status/outputs', { [type]: next })];
  return [uid, test(path, held), add(path, next)];
}

/** Validates outputs before they are written. @throws ContractError naming the integration and the output, never its value */
export function checkOutputs(session: Pick<Session, 'scope' | 'host'>, outputs: Outputs): void {
  const { scope, host } = session;
  const { terminating, outputs: declared } = scope;
  throwIfMistake(scope, terminating ? 'setOutputs: a condition that is terminated has no outputs' : undefined);
  throwIfMistake(scope, mistakeInOutputs(outputs, declared));
  const secret = Object.keys(outputs).find((name) => host.secrets.isIn(JSON.stringify(outputs[name]) ?? ''));
  throwIfMistake(
    scope,
    secret && `setOutputs: ${secret} holds a secret: keep it in a Secret, and declare the output as secret`,
  );
}

/** Limit of the tries against concurrent writers. */
const maxTries = 5;

/** Sets the outputs of the condition. @throws ContractError, StaleError when concurrent writers were faster several times */
export async function setOutputs(session: Session, outputs: Outputs): Promise<void> {
  checkOutputs(session, outputs);
  for (let tries = 1; ; tries += 1) {
    const { workspace } = session;
    try {
      await session.patchStatus(outputsPatch(workspace, session.scope.type, storedOutputs(outputs)));
      return;
    } catch (error) {
      if (!(error instanceof StaleError) || session.workspace === workspace || tries === maxTries) throw error;
    }
  }
}
