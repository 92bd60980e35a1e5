import { Secret } from '../api/kinds.ts';
import { isOwnedBy, type ObjectKey } from '../api/object.ts';
import { ifThere } from '../client/if-there.ts';
import { AlreadyExistsError, DefiniteError } from '../errors.ts';
import { type Hands, isFirstAfterLoss, ownerOf } from './hands.ts';
import type { Ref } from './integration.ts';
import { owned } from './owned.ts';
import type { Session } from './session.ts';

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
  slot: string,
  { id, signal }: { readonly id: Id; readonly signal: AbortSignal },
): Promise<void> {
  const { resource, session } = hands;
  if (resource.secretOf === undefined) return;
  const isKept = async () => (await ifThere(session.host.client.get(Secret, secretKey(session, slot)))) !== undefined;
  if (isFirstAfterLoss(hands) && (await isKept())) return;
  await keepSecret(session, slot, await resource.secretOf(id, { owner: ownerOf(hands, slot), signal }));
}
