import { failure, type StatusError } from '../status.ts';
import { type MediaRange, mediaRangesOf } from './media-ranges.ts';

/** What answers are written in. */
export type Media = 'json' | 'yaml' | 'protobuf';

/** How an answer is to look. */
export interface Form {
  readonly media: Media;
  /** Whether JSON is asked for with indentation, by a parameter of its type. */
  readonly isPretty: boolean;
  /** A projection instead of the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | undefined;
  /** The version of the projection: `v1` or `v1beta1`. */
  readonly version: string;
  /** Whether the projection is asked for by the name of its list, which no single object can be. */
  readonly isList?: boolean;
}

/** What an answer shows. */
export interface Shown {
  readonly isCustom: boolean;
  /** Whether it can be printed; reviews cannot. */
  readonly hasTable: boolean;
  /** A `collection` is one that is deleted. */
  readonly of: 'object' | 'list' | 'collection' | 'watch';
}

/** Another kind of object that is asked for in the place of the one that is there. */
export interface Conversion {
  readonly as: string;
  readonly group: string;
  readonly version: string;
}

/** A media type with what is asked for of it. */
export interface Choice {
  readonly media: Media;
  readonly isPretty: boolean;
  readonly conversion: Conversion | undefined;
}

/** Whether an answer can be had in a media type, as another kind or as it is. */
type Allows = (media: Media, conversion: Conversion | undefined) => boolean;

/** The media types by name, in the order in which wildcards take them. */
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

/** What an Accept header asks for, of what there is; undefined when nothing will do. */
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

/** What can be had in any media type, but as nothing else: errors, and pages of discovery. */
export const choosePlain = (accept: string | undefined): Choice | undefined =>
  choose(accept, (_media, conversion) => conversion === undefined);

/** 406 of media types that are there, but not in that form. */
const onlyThese = (types: readonly string[]): StatusError =>
  failure('NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);

/** 406 of media types that nobody offers. */
const noneOf = (types: readonly string[]): StatusError =>
  failure('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`, {});

/** Routes know types by their whole names only. Throws the 406 of a route that has none of those that are wanted. */
function checkRoute(accept: string | undefined, types: readonly string[]): void {
  if (accept === undefined || accept.trim() === '') return;
  const names = accept.split(',').map((part) => part.split(';', 1)[0]!.trim());
  if (!names.some((name) => name === '*/*' || types.includes(name))) throw noneOf(types);
}

/** Throws the server's 406 when a page that is of one type only is wanted otherwise. */
export const checkPage = (accept: string | undefined, type: string = mediaTypes.json): void =>
  checkRoute(accept, [type]);

/** What a page of discovery is to be written in. `ofGroups` are those of which routes know nothing. Throws the server's 406. */
export function discoveryChoice(accept: string | undefined, ofGroups: boolean): Choice {
  if (!ofGroups) checkRoute(accept, offered);
  const choice = choosePlain(accept);
  if (choice === undefined) throw onlyThese(offered);
  return choice;
}

const projections: Readonly<Record<string, Form['as']>> = {
  Table: 'Table',
  PartialObjectMetadata: 'PartialObjectMetadata',
  PartialObjectMetadataList: 'PartialObjectMetadata',
};

const allowedOf =
  ({ isCustom, hasTable }: Shown): Allows =>
  (media, conversion) => {
    // Custom resources are never written in protobuf, but their metadata is.
    if (conversion === undefined) return !isCustom || media !== 'protobuf';
    const { as, group, version } = conversion;
    if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false;
    const projection = projections[as];
    return projection === 'Table' ? hasTable && media !== 'protobuf' : projection !== undefined;
  };

/** Chooses the form of an answer; JSON when nothing is asked for. Throws the server's 406. */
export function formOf(accept: string | undefined, shown: Shown): Form {
  if (!shown.isCustom) checkRoute(accept, ['list', 'watch'].includes(shown.of) ? [...offered, ...streams] : offered);
  const choice = choose(accept, allowedOf(shown));
  if (choice === undefined) throw onlyThese(offered);
  const { media, isPretty, conversion } = choice;
  if (shown.of === 'watch' && media === 'yaml') throw onlyThese(streams);
  if (conversion === undefined) return { media, isPretty, as: undefined, version: 'v1' };
  const { as, version } = conversion;
  return { media, isPretty, as: projections[as], version, ...(as.endsWith('List') && { isList: true }) };
}
