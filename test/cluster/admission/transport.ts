import { type Endpoint, type HasService, posted } from './post.ts';
import { responseIn } from './response.ts';
import type { AdmissionResponse, AdmissionReview } from './review.ts';

/** A webhook inside this process: answers what a server would answer; the uid is put in for it. */
export type WebhookFunction = (review: AdmissionReview) => AdmissionResponse | Promise<AdmissionResponse>;

/** Asks webhooks: by a function of this process where there is one for the URL, else over HTTPS. */
export type Transport = (endpoint: Endpoint, review: AdmissionReview, mutating: boolean) => Promise<AdmissionResponse>;

/** What a transport has to know of the cluster. */
export interface Surroundings {
  /** The webhooks inside this process, by URL. */
  readonly functions: Readonly<Record<string, WebhookFunction>>;
  readonly hasService: HasService;
}

/** A transport that knows the functions of some URLs. Rejects with an Error in the server's words. */
export const transportWith =
  ({ functions, hasService }: Surroundings): Transport =>
  async (endpoint, review, mutating) => {
    const { uid } = review.request;
    const inProcess = Object.hasOwn(functions, endpoint.url) ? functions[endpoint.url] : undefined;
    if (inProcess !== undefined) {
      const { patchType, ...said } = await inProcess(review);
      return { patchType: patchType ?? 'JSONPatch', ...said, uid };
    }
    const text = await posted(endpoint, review, { hasService }).catch((error: Error) => {
      throw new Error(`failed to call webhook: ${error.message}`, { cause: error });
    });
    return responseIn(text, { uid, apiVersion: review.apiVersion, mutating });
  };
