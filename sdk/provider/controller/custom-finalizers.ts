/** Finalizers that integrations set themselves. */

import { addFinalizer, hasFinalizer, removeFinalizer } from '../../api/finalizer.ts';
import { keyOf } from '../../api/object.ts';
import { group } from '../../api/workspace.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { StaleError } from '../../errors.ts';
import { describeValue } from '../describe-value.ts';
import type { Scope, Session } from '../journal/session.ts';
import { throwIfMistake } from '../value-mistakes.ts';

const qualified = /^[^/\s]{1,253}\/[^/\s]{1,63}$/;

/** Validates the name of a finalizer. @throws ContractError for an invalid one, or one of the sequencer's */
export function checkFinalizer(scope: Scope, finalizer: unknown): void {
  const isOne = typeof finalizer === 'string' && qualified.test(finalizer);
  const expected = 'must be a qualified name such as acme.example/boxes';
  throwIfMistake(scope, isOne ? undefined : `a finalizer ${expected}; found ${describeValue(finalizer)}`);
  const isOurs = isOne && finalizer.startsWith(`${group}/`);
  throwIfMistake(scope, isOurs ? `the finalizer ${finalizer} is a claim, which only the sequencer sets` : undefined);
}

/** Adds a finalizer. @throws ContractError, StaleError if the workspace has changed or is being deleted, since it accepts no new one then */
export async function setFinalizer(session: Session, finalizer: string): Promise<void> {
  const { workspace, scope } = session;
  checkFinalizer(scope, finalizer);
  if (hasFinalizer(workspace, finalizer)) return;
  if (session.deleting && scope.terminating)
    throwIfMistake(
      scope,
      `terminate cannot set ${finalizer}: a workspace that is being deleted takes no new finalizer`,
    );
  if (session.deleting)
    throw new StaleError(`workspace ${keyOf(session.key)} is being deleted: it takes no new finalizer ${finalizer}`);
  await session.patchMain(addFinalizer(workspace, finalizer));
}

/** Removes a finalizer; a missing one counts as removed. @throws ContractError, StaleError if the workspace has changed */
export async function dropFinalizer(session: Session, finalizer: string): Promise<void> {
  checkFinalizer(session.scope, finalizer);
  await ignoreNotFound(session.patchMain(removeFinalizer(session.workspace, finalizer)));
}
