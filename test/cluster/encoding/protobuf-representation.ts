/** Represents objects in protobuf. */

import type { ApiObject, Fields } from '../apimachinery/object.ts';
import type { EventFrame, Framing } from '../requests/watch-framing.ts';
import type { Resource } from '../resources/registry.ts';
import type { ProtobufEncoder } from '../server/protobuf-encoder.ts';
import type { Form } from './negotiation.ts';
import { bytesField, envelopeOf, eventOf } from './protobuf-encoder.ts';
import { checkPartialOf, type ListMetadata, type Representation, withEvents } from './representation.ts';

/** Size of the length prefix of an event, in bytes. */
const prefix = 4;

const typeIn = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(prefix + 2, prefix + 2 + bytes[prefix + 1]!)).toString('latin1');

/** Returns the framing of events with length prefixes. */
const framingOf = ({ object }: ProtobufEncoder): Framing => ({
  contentType: 'application/vnd.kubernetes.protobuf;stream=watch',
  framesOf(chunk) {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const found: EventFrame[] = [];
    for (let from = 0; from < chunk.byteLength; ) {
      const end = from + prefix + view.getUint32(from);
      const bytes = chunk.subarray(from, end);
      found.push({ type: typeIn(bytes), bytes });
      from = end;
    }
    return found;
  },
  errorFrame: (status) => eventOf('ERROR', object(status as Fields)),
  messageOf: ({ bytes }) => ({ kind: 'binary', payload: bytes.subarray(prefix) }),
});

/** Content of an object's envelope, and its kind. */
interface Shape {
  readonly typeOf: (resource: Resource) => string;
  readonly nameOf: (resource: Resource) => { readonly apiVersion: string; readonly kind: string };
  readonly listKindOf: (resource: Resource) => string;
}

const whole: Shape = {
  typeOf: ({ info }) => info.type!,
  nameOf: ({ apiVersion, info: { kind } }) => ({ apiVersion, kind }),
  listKindOf: ({ info }) => info.listKind,
};

const metadataOnly = ({ version }: Form): Shape => ({
  typeOf: () => 'pages.PartialObjectMetadata',
  nameOf: () => ({ apiVersion: `meta.k8s.io/${version}`, kind: 'PartialObjectMetadata' }),
  listKindOf: () => 'PartialObjectMetadataList',
});

function representationOf(protobufEncoder: ProtobufEncoder, shape: Shape): Representation {
  const raws = new WeakMap<ApiObject, Buffer>();
  const rawOf = (resource: Resource, object: ApiObject): Buffer => {
    const known = raws.get(object) ?? protobufEncoder.message(shape.typeOf(resource), object);
    raws.set(object, known);
    return known;
  };
  const envelope = (resource: Resource, object: ApiObject): Buffer => {
    const { apiVersion, kind } = shape.nameOf(resource);
    return envelopeOf(apiVersion, kind, [rawOf(resource, object)]);
  };
  const list = (resource: Resource, objects: readonly ApiObject[], metadata: ListMetadata): Buffer => {
    const head = bytesField(1, protobufEncoder.message('meta.ListMeta', { ...metadata }));
    const items = objects.flatMap((object) => bytesField(2, rawOf(resource, object)));
    return envelopeOf(shape.nameOf(resource).apiVersion, shape.listKindOf(resource), [...head, ...items]);
  };
  const eventFrame = (type: string, resource: Resource, object: ApiObject) => eventOf(type, envelope(resource, object));
  return withEvents({ object: envelope, list, framing: framingOf(protobufEncoder) }, eventFrame);
}

/** Represents objects, or their metadata only, in protobuf; each is encoded once. */
export function protobufForm(protobufEncoder: ProtobufEncoder, form: Form): Representation {
  if (form.as === undefined) return representationOf(protobufEncoder, whole);
  return checkPartialOf(form, representationOf(protobufEncoder, metadataOnly(form)));
}
