/** Responses to ConversionReviews by converters. */

import { apiVersionOf } from '../api/kind.ts';
import { type KubeObject, keyOf } from '../api/object.ts';
import { messageOf } from '../thrown.ts';
import type { ReviewAnswer } from './admission.ts';
import type { ConvertedObject, Converter, Spoke } from './declarations.ts';
import { conversionReview, ReviewError, readConversionReview } from './reviews.ts';

/** Returns the converted object with its kind, version and metadata: API servers allow changes only of labels and annotations. */
function withIdentity(
  apiVersion: string,
  { kind, metadata }: KubeObject,
  converted: ConvertedObject<KubeObject>,
): KubeObject {
  return { ...converted, apiVersion, kind, metadata: { ...metadata, ...converted.metadata } };
}

/** Returns the spoke of a version; undefined for the hub. @throws ReviewError for any other version */
function spokeOf({ kind: hub, spokes }: Converter, apiVersion: string): Spoke | undefined {
  const found = spokes.find(({ kind }) => apiVersionOf(kind) === apiVersion);
  if (found !== undefined || apiVersion === apiVersionOf(hub)) return found;
  const known = [hub, ...spokes.map(({ kind }) => kind)].map(apiVersionOf);
  throw new ReviewError(`${apiVersion} is not converted; known are ${known.join(', ')}`);
}

/** Converts an object to a version, through the hub. @throws ReviewError for a version that the converter does not have, and the errors of its functions */
export function convertObject(converter: Converter, object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const [source, target] = [spokeOf(converter, object.apiVersion), spokeOf(converter, apiVersion)];
  const hub = source === undefined ? object : withIdentity(apiVersionOf(converter.kind), object, source.toHub(object));
  return target === undefined ? hub : withIdentity(apiVersion, object, target.fromHub(hub));
}

/** Converts the objects of a review; if one cannot be converted, none are, and the response says why. @throws ReviewError for an invalid body */
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
