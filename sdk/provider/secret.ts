import { Secret } from '../api/kinds.ts';
import { isOwnedBy, type ObjectKey } from '../api/object.ts';
import { ifThere } from '../client/if-there.ts';
import { AlreadyExistsError, DefiniteError, messageOf } from '../errors.ts';
import { type Hands, isFirstAfterLoss, ownerOf } from './hands.ts';
import type { Ref } from './integration.ts';
import { owned } from './owned.ts';
import type { Session } from './session.ts';
import type { Thing } from './things.ts';

/** The Secret of a thing. */
function secretKey({ workspace, scope }: Session, slot: string): ObjectKey {
  const { name, namespace = '' } = workspace.metadata;
  return { namespace, name: [name, scope.type.toLowerCase(), slot].filter((part) => part !== '').join('-') };
}

/** Puts a secret into a Secret that the workspace owns. */
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

/** Asks for the secret of a thing that was found: it went with the answer to its maker, or, where only the journal was lost, is still kept. */
export async function regainSecret<Wanted, Id extends Ref>(
  hands: Hands<Wanted, Id>,
  { slot, owner, id, signal }: Pick<Thing, 'slot' | 'owner'> & { readonly id: Id; readonly signal: AbortSignal },
): Promise<void> {
  const { resource, session } = hands;
  if (resource.secretOf === undefined) return;
  if (isFirstAfterLoss(hands) && (await isKept(session, slot))) return;
  await keepSecret(session, slot, await resource.secretOf(id, { owner: ownerOf(hands, { slot, owner }), signal }));
}

/** Whether the Secret of a thing is there, and is the workspace's. */
async function isKept(session: Session, slot: string): Promise<boolean> {
  const secret = await ifThere(session.host.client.get(Secret, secretKey(session, slot)));
  return secret !== undefined && isOwnedBy(secret, session.workspace);
}

/** How many secrets that could not be kept yet a process holds. */
const mostUnkept = 1_000;

const unkeptKey = ({ slot: condition }: Session, slot: string): string => `${condition}/${slot}`;

/**
 * Keeps the secret that a creation gave. The thing counts as `secretless` when that fails, so that its id is recorded all the same; the secret stays in
 * this process, for {@link mendSecret}.
 */
export async function withSecret<Id extends Ref>(
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
 * Keeps the secret of a `secretless` thing: as its creation gave it, or as the third party gives it again.
 * @returns false when it cannot be had any more: there is room for a new one, once the thing is made anew. @throws why it cannot be kept
 */
export async function mendSecret<Wanted, Id extends Ref>(
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
