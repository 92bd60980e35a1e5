/** Stores the secrets of external objects in Secrets. */

import { Secret } from '../api/kinds.ts';
import { isOwnedBy, type ObjectKey } from '../api/object.ts';
import { ifThere } from '../client/if-there.ts';
import { AlreadyExistsError, DefiniteError, messageOf } from '../errors.ts';
import { type Hands, isFirstAfterLoss, ownerOf } from './hands.ts';
import { owned } from './owned.ts';
import type { Session } from './session.ts';
import type { Thing } from './things.ts';

/** Returns the key of an object's Secret. */
function secretKey({ workspace, scope }: Session, slot: string): ObjectKey {
  const { name, namespace = '' } = workspace.metadata;
  return { namespace, name: [name, scope.type.toLowerCase(), slot].filter((part) => part !== '').join('-') };
}

/** Stores a secret in a Secret that the workspace owns. */
export async function keepSecret(
  session: Session,
  slot: string,
  secret: Readonly<Record<string, string>>,
): Promise<void> {
  const { host, workspace } = session;
  host.secrets.add(...Object.values(secret));
  const key = secretKey(session, slot);
  try {
    await host.client.create(Secret, owned<Secret>(workspace, { metadata: { name: key.name }, stringData: secret }));
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    const existing = await host.client.get(Secret, key);
    if (!isOwnedBy(existing, workspace))
      throw new DefiniteError(
        `Secret ${key.namespace}/${key.name} exists and belongs to somebody else: rename or remove it`,
      );
    await host.client.patch(Secret, key, { type: 'merge', value: { stringData: secret } });
  }
}

/** Requests the secret of a found object, which was lost with the response to its creation; after a lost journal it may still be stored. */
export async function regainSecret<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  { slot, owner, id, signal }: Pick<Thing, 'slot' | 'owner'> & { readonly id: Id; readonly signal: AbortSignal },
): Promise<void> {
  const { resource, session } = hands;
  if (resource.secretOf === undefined) return;
  if (isFirstAfterLoss(hands) && (await isKept(session, slot))) return;
  await keepSecret(session, slot, await resource.secretOf(id, { owner: ownerOf(hands, { slot, owner }), signal }));
}

/** Reports whether the Secret of an object exists and is owned by the workspace. */
async function isKept(session: Session, slot: string): Promise<boolean> {
  const secret = await ifThere(session.host.client.get(Secret, secretKey(session, slot)));
  return secret !== undefined && isOwnedBy(secret, session.workspace);
}

/** Limit of the secrets that a process holds until they can be stored. */
const mostUnkept = 1_000;

const unkeptKey = ({ slot: condition }: Session, slot: string): string => `${condition}/${slot}`;

/**
 * Stores the secret that a creation returned. If that fails, the object becomes `secretless`, so that its id is still recorded; the secret stays in
 * this process, for {@link mendSecret}.
 */
export async function withSecret<Id extends object>(
  session: Session,
  thing: Thing<Id>,
  secret: Readonly<Record<string, string>>,
): Promise<Thing<Id>> {
  const { events, unkept } = session.host;
  try {
    await keepSecret(session, thing.slot, secret);
    return thing;
  } catch (error) {
    unkept.set(unkeptKey(session, thing.slot), secret);
    if (unkept.size > mostUnkept) unkept.delete([...unkept.keys()][0]!);
    events.event(session.workspace, 'Warning', 'SecretNotKept', `${session.scope.type}: ${messageOf(error)}`);
    return { ...thing, state: 'secretless' };
  }
}

/**
 * Stores the secret of a `secretless` object: as its creation returned it, or as the third party returns it again.
 * @returns false when it cannot be obtained any more, but could be stored once the object is recreated. @throws the error for which it cannot be
 * stored
 */
export async function mendSecret<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  thing: Pick<Thing, 'slot' | 'owner'> & { readonly id: Id; readonly signal: AbortSignal },
): Promise<boolean> {
  const { session, resource } = hands;
  const { unkept } = session.host;
  const key = unkeptKey(session, thing.slot);
  const secret = unkept.get(key);
  if (secret === undefined && resource.secretOf !== undefined) {
    await keepSecret(
      session,
      thing.slot,
      await resource.secretOf(thing.id, { owner: ownerOf(hands, thing), signal: thing.signal }),
    );
    return true;
  }
  await keepSecret(session, thing.slot, secret ?? {});
  unkept.delete(key);
  return secret !== undefined;
}
