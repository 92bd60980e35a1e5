/** Responses to ConversionReviews by converters. */

import { apiVersionOf } from '../api/kind.ts';
import { type KubeObject, keyOf } from '../api/object.ts';
import { messageOf } from '../thrown.ts';
import type { ReviewAnswer } from './admission.ts';
import type { ConvertedObject, Converter, Spoke } from './declarations.ts';
import { conversionReview, ReviewError, readConversionReview } from './reviews.ts';

/** Returns an object at a version: API servers refuse changes of other metadata than labels and annotations. */
function addressed(
  apiVersion: string,
  { kind, metadata }: KubeObject,
  converted: ConvertedObject<KubeObject>,
): KubeObject {
  return { ...converted, apiVersion, kind, metadata: { ...metadata, ...converted.metadata } };
}

function spokeOf({ kind: hub, spokes }: Converter, apiVersion: string): Spoke | undefined {
  const found = spokes.find(({ kind }) => apiVersionOf(kind) === apiVersion);
  if (found !== undefined || apiVersion === apiVersionOf(hub)) return found;
  const known = [hub, ...spokes.map(({ kind }) => kind)].map(apiVersionOf);
  throw new ReviewError(`${apiVersion} is not converted; known are ${known.join(', ')}`);
}

/** Converts an object to a version, by the hub. @throws ReviewError for a version that the converter does not have, and the errors of its functions */
export function convertObject(converter: Converter, object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const [from, to] = [spokeOf(converter, object.apiVersion), spokeOf(converter, apiVersion)];
  const hub = from === undefined ? object : addressed(apiVersionOf(converter.kind), object, from.toHub(object));
  return to === undefined ? hub : addressed(apiVersion, object, to.fromHub(hub));
}

/** Converts the objects of a review: all of them, or none with the reason. @throws ReviewError for an invalid body */
export function answerConversion(converter: Converter, body: unknown): ReviewAnswer {
  const { uid, desiredAPIVersion, objects } = readConversionReview(body);
  let current: KubeObject | undefined;
  try {
    const convertedObjects = objects.map((object) => {
      current = object;
      return convertObject(converter, object, desiredAPIVersion);
    });
    return {
      review: conversionReview({ uid, convertedObjects, result: { status: 'Success' } }),
      outcome: 'converted',
    };
  } catch (error) {
    const { apiVersion, kind, metadata } = current!;
    const message = `${kind} ${keyOf(metadata)} cannot be converted from ${apiVersion} to ${desiredAPIVersion}: ${messageOf(error)}`;
    return {
      review: conversionReview({ uid, convertedObjects: [], result: { status: 'Failure', message } }),
      outcome: 'not converted',
    };
  }
}
