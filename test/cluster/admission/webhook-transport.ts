/** Delivers reviews to webhooks, in process or over HTTPS. */

import { type Endpoint, type HasService, postReview } from '../webhooks/webhook-client.ts';
import { responseIn } from './response.ts';
import type { AdmissionResponse, AdmissionReview } from './review.ts';

/** In-process webhook: returns the response; its uid is filled in. */
export type WebhookFunction = (review: AdmissionReview) => AdmissionResponse | Promise<AdmissionResponse>;

/** Calls a webhook: the in-process function of its URL if any, else HTTPS. */
export type Transport = (endpoint: Endpoint, review: AdmissionReview, mutating: boolean) => Promise<AdmissionResponse>;

/** Dependencies of {@link transportWith}. */
export interface TransportDependencies {
  /** In-process webhooks, by URL. */
  readonly functions: Readonly<Record<string, WebhookFunction>>;
  readonly hasService: HasService;
}

/** Creates a transport. It rejects with an Error in the server's words. */
export const transportWith =
  ({ functions, hasService }: TransportDependencies): Transport =>
  async (endpoint, review, mutating) => {
    const { uid } = review.request;
    const inProcess = Object.hasOwn(functions, endpoint.url) ? functions[endpoint.url] : undefined;
    if (inProcess !== undefined) {
      const { patchType, ...said } = await inProcess(review);
      return { patchType: patchType ?? 'JSONPatch', ...said, uid };
    }
    const text = await postReview(endpoint, review, { hasService }).catch((error: Error) => {
      throw new Error(`failed to call webhook: ${error.message}`, { cause: error });
    });
    return responseIn(text, { uid, apiVersion: review.apiVersion, mutating });
  };
