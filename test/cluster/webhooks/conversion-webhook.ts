/** Calls conversion webhooks. */

import type { Dispatcher } from 'undici';
import { uuidFrom } from '../apimachinery/generated-metadata.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { StatusError, unexpected } from '../apimachinery/status.ts';
import { definitionSpecOf } from '../crd/definition.ts';
import type { Convert } from '../server/server-context.ts';
import { type ConversionFunction, type ConversionReview, convertedObjectsIn } from './conversion-review.ts';
import { convertedObject, InvalidConversionError, kindText } from './converted-object-validation.ts';
import { agentFor, type Endpoint, endpointOf, type HasService, postReview } from './webhook-client.ts';

/** Dependencies of {@link webhookConversion}. */
export interface ConversionDependencies {
  /** In-process webhooks, by URL. */
  readonly functions: Readonly<Record<string, ConversionFunction>>;
  readonly hasService: HasService;
  /** Random source in [0, 1). */
  readonly random: () => number;
}

/** Timeout of a conversion, in seconds. */
const timeout = 30;

const known = ['v1', 'v1beta1'];

type Values = readonly unknown[];

/** Calls an in-process webhook. */
async function valuesOf(answer: ConversionFunction, review: ConversionReview): Promise<Values> {
  const { result, ...said } = await answer(review);
  const response = { ...said, uid: review.request.uid, result: { status: 'Success', ...result } };
  return convertedObjectsIn(JSON.stringify({ ...review, response }), review);
}

/** Creates a function that sends reviews to a webhook, over a connection pool that lives as long as the definition is unchanged. */
function reviewSender(endpoint: Endpoint, { functions, hasService }: ConversionDependencies) {
  const inProcess = Object.hasOwn(functions, endpoint.url) ? functions[endpoint.url] : undefined;
  let agent: Promise<Dispatcher> | undefined;
  return async (review: ConversionReview): Promise<Values> => {
    if (inProcess !== undefined) return valuesOf(inProcess, review);
    agent ??= agentFor(endpoint);
    return convertedObjectsIn(await postReview(endpoint, review, { hasService, agent: await agent }), review);
  };
}

/** Creates the converter of a CustomResourceDefinition with `spec.conversion.strategy: Webhook`. */
export function webhookConversion(crd: Fields, surroundings: ConversionDependencies): Convert {
  const { clientConfig, conversionReviewVersions } = definitionSpecOf(crd).conversion?.webhook ?? {};
  const versions = Array.isArray(conversionReviewVersions) ? conversionReviewVersions.map(String) : [];
  const version = versions.find((one) => known.includes(one)) ?? 'v1';
  const ask = reviewSender(endpointOf(isFields(clientConfig) ? clientConfig : {}, timeout), surroundings);
  return async (object, desiredAPIVersion) => {
    const request = { uid: uuidFrom(surroundings.random), desiredAPIVersion, objects: [object] };
    try {
      const values = await ask({ kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}`, request });
      return convertedObject(values, { object, apiVersion: desiredAPIVersion });
    } catch (error) {
      if (error instanceof StatusError) throw error;
      const { message } = error as Error;
      if (error instanceof InvalidConversionError) throw unexpected(message);
      throw unexpected(`conversion webhook for ${kindText(object.apiVersion, object.kind)} failed: ${message}`);
    }
  };
}
