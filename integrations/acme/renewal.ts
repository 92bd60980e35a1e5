/** Keeps an issued certificate: restores its Secret, and decides when it is renewed. */

import type { ProviderController } from '../../sdk/index.ts';
import { downloaded } from './issuance.ts';
import type { CheckedAcmeOptions } from './options.ts';
import { type OrderRecord, spreadOf } from './order-records.ts';
import { holdsCertificate, privateKeyOf, writeCertificate } from './tls-secret.ts';

/** Workspace whose certificate is maintained. */
interface MaintainedCertificate {
  readonly controller: ProviderController;
  readonly options: CheckedAcmeOptions;
}

/** Downloads the certificate of an order. @returns undefined when the authority does not have it any more, or is another one */
async function chainOf(
  { controller: { signal }, options: { authority, isOfAuthority } }: MaintainedCertificate,
  { id }: OrderRecord,
  key: string,
) {
  if (!isOfAuthority(id)) return undefined;
  const url = (await authority.read({ url: id, signal }))?.certificate;
  return url === undefined ? undefined : downloaded({ authority, key, signal }, url);
}

/**
 * Puts certificate and key into the Secret again, unless they are there; it is looked at when that is due, or the condition does not say that all is well.
 * @returns false when the private key is lost, or the authority does not have the certificate any more
 */
export async function restored(
  kept: MaintainedCertificate,
  current: OrderRecord,
  fingerprint: string,
): Promise<boolean> {
  const { controller, options } = kept;
  const { uid = '', generation } = controller.workspace.metadata;
  const { status, observedGeneration } = controller.condition;
  const isSaid = status === 'Completed' && observedGeneration === generation;
  if (isSaid && options.driftSchedule.wait(uid) !== 0) return true;
  return options.driftSchedule.run(uid, controller.signal, async () => {
    const key = await privateKeyOf(controller, current);
    if (key !== undefined && (await holdsCertificate(controller, fingerprint, key))) return true;
    const issued = key === undefined ? undefined : await chainOf(kept, current, key);
    const what =
      issued === undefined ? 'its private key or certificate is lost: another one is ordered' : 'it is written again';
    if (isSaid) controller.event('Warning', 'Drifted', `the Secret of the certificate was changed or deleted: ${what}`);
    if (key === undefined || issued === undefined) return false;
    await writeCertificate(controller, issued.chain, key);
    return true;
  });
}

/**
 * Returns the ids of the orders whose certificates are due for renewal by the authority (RFC 9773), for example after a revocation. The request is made
 * when it is due; a failed one changes nothing.
 */
export async function isRenewalDue(
  { controller, options }: MaintainedCertificate,
  orders: readonly OrderRecord[],
): Promise<readonly string[]> {
  const { authority, renewals, clock } = options;
  const { uid = '' } = controller.workspace.metadata;
  const current = orders.findLast(({ issued }) => issued !== undefined);
  const id = current?.issued?.renewalId;
  if (current === undefined || id === undefined || renewals.wait(uid) !== 0) return [];
  const window = await renewals
    .run(uid, controller.signal, (signal) => authority.renewalWindow({ id, signal }))
    .catch((error: Error) => {
      controller.event('Warning', 'LookFailed', `renewal information could not be read: ${error.message}`);
      return undefined;
    });
  if (window === undefined) return [];
  const at = window.start + (window.end - window.start) * spreadOf(current);
  return clock.now() >= at ? [current.id] : [];
}
