/** Responses to AdmissionReviews by validators and defaulters. */

import { changesOf } from '../api/patch.ts';
import type { AdmissionContext, Defaulter, Validator } from './declarations.ts';
import {
  type AdmissionReviewRequest,
  admissionResponse,
  admissionReview,
  ReviewError,
  readAdmissionReview,
} from './reviews.ts';

/** Response to a review, and its outcome for observers. */
export interface ReviewAnswer {
  readonly review: object;
  readonly outcome: 'allowed' | 'denied' | 'converted' | 'not converted';
}

function contextOf(request: AdmissionReviewRequest, signal: AbortSignal): AdmissionContext<never> {
  const { operation, oldObject, userInfo = {}, dryRun = false } = request;
  const { username = '', uid, groups = [] } = userInfo;
  return {
    operation,
    old: (oldObject ?? undefined) as never,
    user: { username, groups, ...(uid !== undefined && { uid }) },
    dryRun,
    signal,
  };
}

/** Reads a review of this kind. @throws ReviewError for one of another kind or version: the webhook configuration names another path */
function requestFor({ kind }: Validator | Defaulter, body: unknown): AdmissionReviewRequest {
  const request = readAdmissionReview(body);
  const { group, version, kind: name } = request.kind;
  if (group !== kind.group || version !== kind.version || name !== kind.kind)
    throw new ReviewError(
      `expected a ${kind.kind} of ${kind.group}/${kind.version}, found ${name} of ${group}/${version}`,
    );
  return request;
}

/** Validates the object of a review. @throws ReviewError, and the handler's errors */
export async function answerValidation(webhook: Validator, body: unknown, signal: AbortSignal): Promise<ReviewAnswer> {
  const request = requestFor(webhook, body);
  const object = request.operation === 'DELETE' ? request.oldObject! : request.object!;
  const verdict = (await webhook.handle(object, contextOf(request, signal))) ?? {};
  const response = admissionResponse(request, verdict);
  return { review: admissionReview(response), outcome: response.allowed ? 'allowed' : 'denied' };
}

/** Returns the JSON patch of a review's object to the defaulter's result. @throws ReviewError, and the handler's errors */
export function answerDefaults(webhook: Defaulter, body: unknown, signal: AbortSignal): ReviewAnswer {
  const request = requestFor(webhook, body);
  const object = request.operation === 'DELETE' ? request.oldObject! : request.object!;
  const patch = changesOf(object, (draft) => {
    const returned: unknown = webhook.handle(draft, contextOf(request, signal));
    if (returned instanceof Promise) {
      returned.catch(() => undefined);
      throw new TypeError('a defaulter must not be asynchronous: its draft is closed when it returns');
    }
  });
  const response = {
    ...admissionResponse(request, {}),
    ...(patch.length > 0 && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
  };
  return { review: admissionReview(response), outcome: 'allowed' };
}
