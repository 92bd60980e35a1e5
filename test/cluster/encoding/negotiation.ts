/** Negotiates the media type and form of answers. */

import { failure, type StatusError } from '../apimachinery/status.ts';
import { type MediaRange, mediaRangesOf } from './media-ranges.ts';

/** Encodings of answers. */
export type Media = 'json' | 'yaml' | 'protobuf';

/** Negotiated form of an answer. */
export interface Form {
  readonly media: Media;
  /** True when a media type parameter asks for indented JSON. */
  readonly isPretty: boolean;
  /** Projection of the object. */
  readonly as: 'Table' | 'PartialObjectMetadata' | undefined;
  /** Version of the projection: `v1` or `v1beta1`. */
  readonly version: string;
  /** True when the projection is requested as a list, which a single object cannot be. */
  readonly isList?: boolean;
}

/** Content of an answer. */
export interface ResponseContent {
  readonly isCustom: boolean;
  /** True when the kind can be printed as a table; reviews cannot. */
  readonly hasTable: boolean;
  /** Content: a `collection` is a deleted one. */
  readonly of: 'object' | 'list' | 'collection' | 'watch';
}

/** Kind to convert the object to. */
export interface Conversion {
  readonly as: string;
  readonly group: string;
  readonly version: string;
}

/** Media type and its parameters. */
export interface Choice {
  readonly media: Media;
  readonly isPretty: boolean;
  readonly conversion: Conversion | undefined;
}

/** Reports whether an answer is available in a media type and conversion. */
type Allows = (media: Media, conversion: Conversion | undefined) => boolean;

/** Media types by name, in the order in which wildcards match them. */
export const mediaTypes: Readonly<Record<Media, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};
const offered = Object.values(mediaTypes);
const medias = Object.keys(mediaTypes) as readonly Media[];

const streams = [`${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`];

const fits = (type: string, media: Media): boolean =>
  type === mediaTypes[media] || type === 'application/*' || type === '*/*';

function conversionOf({ as, g, v }: MediaRange['parameters']): Conversion | undefined {
  if (as === undefined && g === undefined && v === undefined) return undefined;
  return { as: as ?? '', group: g ?? '', version: v ?? '' };
}

function choiceOf(media: Media, { parameters }: MediaRange, allows: Allows): Choice | undefined {
  const { stream = '', sv = '', pretty } = parameters;
  if (stream !== '' && (media === 'yaml' || stream !== 'watch')) return undefined;
  const conversion = conversionOf(parameters);
  if (sv !== '' || !allows(media, conversion)) return undefined;
  return { media, isPretty: pretty === '1', conversion };
}

const plainJson: Choice = { media: 'json', isPretty: false, conversion: undefined };

/** Returns the first acceptable choice for an Accept header; undefined when none is available. */
export function choose(accept: string | undefined, allows: Allows): Choice | undefined {
  if (accept === undefined || accept === '' || accept === 'application/json') return plainJson;
  for (const range of mediaRangesOf(accept)) {
    for (const media of medias) {
      const choice = fits(range.type, media) ? choiceOf(media, range, allows) : undefined;
      if (choice !== undefined) return choice;
    }
  }
  return undefined;
}

/** Chooses the media type of errors and discovery pages, which cannot be converted. */
export const choosePlain = (accept: string | undefined): Choice | undefined =>
  choose(accept, (_media, conversion) => conversion === undefined);

/** Returns the 406 for known media types in an unavailable form. */
const notAcceptable = (types: readonly string[]): StatusError =>
  failure('NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);

/** Returns the 406 for unknown media types. */
const routeNotAcceptable = (types: readonly string[]): StatusError =>
  failure('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`, {});

/** Checks that a route produces an accepted media type; routes compare complete names. Throws the server's 406. */
function checkRoute(accept: string | undefined, types: readonly string[]): void {
  if (accept === undefined || accept.trim() === '') return;
  const names = accept.split(',').map((part) => part.split(';', 1)[0]!.trim());
  if (!names.some((name) => name === '*/*' || types.includes(name))) throw routeNotAcceptable(types);
}

/** Checks the Accept header for a page with a single media type. Throws the server's 406. */
export const checkPage = (accept: string | undefined, type: string = mediaTypes.json): void =>
  checkRoute(accept, [type]);

/** Chooses the media type of a discovery page; those `ofGroups` skip the check of routes. Throws the server's 406. */
export function discoveryChoice(accept: string | undefined, ofGroups: boolean): Choice {
  if (!ofGroups) checkRoute(accept, offered);
  const choice = choosePlain(accept);
  if (choice === undefined) throw notAcceptable(offered);
  return choice;
}

const projections: Readonly<Record<string, Form['as']>> = {
  Table: 'Table',
  PartialObjectMetadata: 'PartialObjectMetadata',
  PartialObjectMetadataList: 'PartialObjectMetadata',
};

const allowedOf =
  ({ isCustom, hasTable }: ResponseContent): Allows =>
  (media, conversion) => {
    // Custom resources have no protobuf form, but their metadata has.
    if (conversion === undefined) return !isCustom || media !== 'protobuf';
    const { as, group, version } = conversion;
    if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false;
    const projection = projections[as];
    return projection === 'Table' ? hasTable && media !== 'protobuf' : projection !== undefined;
  };

/** Chooses the form of an answer; JSON by default. Throws the server's 406. */
export function formOf(accept: string | undefined, shown: ResponseContent): Form {
  if (!shown.isCustom) checkRoute(accept, ['list', 'watch'].includes(shown.of) ? [...offered, ...streams] : offered);
  const choice = choose(accept, allowedOf(shown));
  if (choice === undefined) throw notAcceptable(offered);
  const { media, isPretty, conversion } = choice;
  if (shown.of === 'watch' && media === 'yaml') throw notAcceptable(streams);
  if (conversion === undefined) return { media, isPretty, as: undefined, version: 'v1' };
  const { as, version } = conversion;
  return { media, isPretty, as: projections[as], version, ...(as.endsWith('List') && { isList: true }) };
}
