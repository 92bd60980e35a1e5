/** Stores the secrets of external objects in Secrets. */

import { Secret } from '../../api/kinds.ts';
import { isOwnedBy, type ObjectKey } from '../../api/object.ts';
import { secretNameOf } from '../../api/workspace.ts';
import { ignoreNotFound } from '../../client/ignore-not-found.ts';
import { AlreadyExistsError, DefiniteError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { ExternalObject } from '../journal/external-objects.ts';
import type { Session } from '../journal/session.ts';
import { type EnsureContext, isUnverifiedSinceLoss } from './ensure-context.ts';
import { ownerOf } from './object-owners.ts';
import { withOwnerReference } from './with-owner-reference.ts';

/** Returns the key of an object's Secret. */
function secretKey({ workspace, scope }: Session, slot: string): ObjectKey {
  return { namespace: workspace.metadata.namespace ?? '', name: secretNameOf(workspace, scope.type, slot) };
}

/** Stores a secret in a Secret that the workspace owns. */
export async function saveSecret(
  session: Session,
  slot: string,
  secret: Readonly<Record<string, string>>,
): Promise<void> {
  const { host, workspace } = session;
  host.secrets.add(...Object.values(secret));
  const key = secretKey(session, slot);
  try {
    await host.client.create(
      Secret,
      withOwnerReference(session, Secret, { metadata: { name: key.name }, stringData: secret }),
    );
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    const existing = await host.client.get(Secret, key);
    if (!isOwnedBy(existing, workspace))
      throw new DefiniteError(`Secret ${key.namespace}/${key.name} exists and has another owner: rename or remove it`);
    await host.client.patch(Secret, key, { type: 'merge', value: { stringData: secret } });
  }
}

/** Requests the secret of a found object again and stores it; after a lost journal only if it is not stored yet. */
export async function recoverSecret<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  {
    slot,
    owner,
    id,
    signal,
  }: Pick<ExternalObject, 'slot' | 'owner'> & { readonly id: Id; readonly signal: AbortSignal },
): Promise<void> {
  const { resource, session } = context;
  if (resource.secretOf === undefined) return;
  if (isUnverifiedSinceLoss(context) && (await isSaved(session, slot))) return;
  await saveSecret(session, slot, await resource.secretOf(id, { owner: ownerOf(context, { slot, owner }), signal }));
}

/** Reports whether the Secret of an object exists and is owned by the workspace. */
async function isSaved(session: Session, slot: string): Promise<boolean> {
  const secret = await ignoreNotFound(session.host.client.get(Secret, secretKey(session, slot)));
  return secret !== undefined && isOwnedBy(secret, session.workspace);
}

/** Reports whether the Secret of an object does not exist; one of another owner in its place counts as existing. */
export const isSecretGone = async (session: Session, slot: string): Promise<boolean> =>
  (await ignoreNotFound(session.host.client.get(Secret, secretKey(session, slot)))) === undefined;

/** Limit of the secrets that a process holds until they can be stored. */
const maxUnsaved = 1_000;

const unsavedKey = ({ lockKey: condition }: Session, slot: string): string => `${condition}/${slot}`;

/**
 * Stores the secret that a creation returned. If that fails, the object becomes `secretless`, so that its id is still recorded; the secret stays in
 * this process, for {@link restoreSecret}.
 */
export async function saveCreatedSecret<Id extends object>(
  session: Session,
  object: ExternalObject<Id>,
  secret: Readonly<Record<string, string>>,
): Promise<ExternalObject<Id>> {
  const { events, unsavedSecrets } = session.host;
  try {
    await saveSecret(session, object.slot, secret);
    return object;
  } catch (error) {
    unsavedSecrets.set(unsavedKey(session, object.slot), secret);
    if (unsavedSecrets.size > maxUnsaved) unsavedSecrets.delete([...unsavedSecrets.keys()][0]!);
    events.event(session.workspace, 'Warning', 'SecretNotKept', `${session.scope.type}: ${messageOf(error)}`);
    return { ...object, state: 'secretless' };
  }
}

/**
 * Stores the secret of a `secretless` object: as its creation returned it, or as the third party returns it again.
 * @returns false when it cannot be obtained any more, but could be stored once the object is recreated. @throws the error for which it cannot be
 * stored
 */
export async function restoreSecret<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: Pick<ExternalObject, 'slot' | 'owner'> & { readonly id: Id; readonly signal: AbortSignal },
): Promise<boolean> {
  const { session, resource } = context;
  const { unsavedSecrets } = session.host;
  const key = unsavedKey(session, object.slot);
  const secret = unsavedSecrets.get(key);
  if (secret === undefined && resource.secretOf !== undefined) {
    await saveSecret(
      session,
      object.slot,
      await resource.secretOf(object.id, { owner: ownerOf(context, object), signal: object.signal }),
    );
    return true;
  }
  await saveSecret(session, object.slot, secret ?? {});
  unsavedSecrets.delete(key);
  return secret !== undefined;
}
